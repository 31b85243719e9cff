//! Finds the MPI jobs on this machine, and the process of each of their ranks, from the variables
//! that launchers set in the environment of a rank. It asks no launcher.
//!
//! A rank's number is in the environment of all processes that the rank's first one starts: the
//! shell of a script, `omphalos profile`, the program, its helpers. The program is the process that
//! has an MPI library, or OpenMP.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use omphalos_program::library;

use crate::space::live::process;
use crate::space::{modules, of_maps};

/// A rank, with the process that runs its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// Its number in the job.
    pub number: u32,
    /// Its process.
    pub pid: u32,
}

/// A job, as far as it is on this machine.
#[derive(Clone, Debug)]
pub struct Job {
    /// The launcher's name for it; `None` if nothing distinguishes jobs.
    pub name: Option<String>,
    /// The number of its ranks on all machines.
    pub size: u32,
    /// The ranks here, by number.
    pub ranks: Vec<Rank>,
    /// All processes of these ranks, and their ancestors.
    processes: Vec<u32>,
}

impl Job {
    /// Whether a process belongs to one of its ranks, or started one, as the launcher did.
    pub fn has(&self, pid: u32) -> bool {
        self.processes.contains(&pid)
    }

    /// Whether its ranks write their profiles into this folder.
    pub fn writes_to(&self, folder: &Path) -> bool {
        let is_it = |rank: &Rank| {
            let out = process::variable(rank.pid, PROFILE_OUT)?;
            let its =
                Path::new(&format!("/proc/{}/root", rank.pid)).join(out.trim_start_matches('/'));
            let is_same = |one: &Path, other: &Path| {
                Some(fs::canonicalize(one).ok()? == fs::canonicalize(other).ok()?)
            };
            is_same(its.parent()?, folder)
        };
        self.ranks.iter().any(|rank| is_it(rank) == Some(true))
    }
}

/// The variable with the agent's output; `omphalos profile` sets it.
const PROFILE_OUT: &str = "OMPHALOS_PROFILE_OUT";
/// Ancestors of a rank's process that are looked at.
const MOST_ANCESTORS: usize = 64;

/// A process that has a rank's number.
struct Process {
    pid: u32,
    above: Vec<u32>,
}

/// The jobs of all processes that we may look at.
pub fn jobs() -> Vec<Job> {
    let mut jobs: BTreeMap<(Option<String>, u32), BTreeMap<u32, Vec<Process>>> = BTreeMap::new();
    for (pid, _) in process::processes() {
        let Some((number, size)) = process::rank(pid).filter(|_| pid != std::process::id()) else {
            continue;
        };
        let ranks = jobs.entry((process::job(pid), size)).or_default();
        ranks.entry(number).or_default().push(Process { pid, above: above(pid) });
    }
    jobs.into_iter().map(|((name, size), ranks)| job(name, size, ranks)).collect()
}

fn job(name: Option<String>, size: u32, ranks: BTreeMap<u32, Vec<Process>>) -> Job {
    let all = ranks.values().flatten();
    let mut processes: Vec<u32> =
        all.flat_map(|process| process.above.iter().copied().chain([process.pid])).collect();
    processes.sort_unstable();
    processes.dedup();
    let program = |(number, processes): (u32, Vec<Process>)| {
        let program = processes.iter().max_by_key(|process| fitness(process))?;
        Some(Rank { number, pid: program.pid })
    };
    Job { name, size, ranks: ranks.into_iter().filter_map(program).collect(), processes }
}

/// A value that is greater the likelier a process of a rank is the program. With MPI, the outermost
/// process that has it is; otherwise the one with OpenMP and most threads, and of equal ones the
/// innermost.
fn fitness(process: &Process) -> (bool, bool, usize, isize) {
    let maps = fs::read(format!("/proc/{}/maps", process::shown_by(process.pid)));
    let modules = modules(&of_maps(&String::from_utf8_lossy(&maps.unwrap_or_default())));
    let passes_messages = modules.iter().any(|module| module.name().starts_with("libmpi"));
    let has_openmp =
        modules.iter().any(|module| library::is_one_of(module.name(), &library::RUNTIMES));
    let threads = process::threads(process.pid).map_or(0, |threads| threads.len());
    let depth = process.above.len() as isize;
    (passes_messages, has_openmp, threads, if passes_messages { -depth } else { depth })
}

/// Whether the program of a rank of these jobs began this process, which has the rank's number from
/// it.
pub fn is_child_of_rank(pid: u32, jobs: &[Job]) -> bool {
    let above = above(pid);
    jobs.iter().flat_map(|job| &job.ranks).any(|rank| above.contains(&rank.pid))
}

/// The ancestors of a process, without process 1.
fn above(pid: u32) -> Vec<u32> {
    let parent = |pid: &u32| process::parent(*pid).filter(|parent| *parent > 1);
    std::iter::successors(parent(&pid), parent).take(MOST_ANCESTORS).collect()
}
