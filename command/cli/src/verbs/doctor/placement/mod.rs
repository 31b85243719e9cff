//! `omphalos doctor --placement`: the places of the threads of a program's regions, by the
//! runtime's own answer, and the problems with these places on this machine.

mod judge;
pub mod probe;
mod unseen;

use std::ffi::OsString;
use std::path::Path;

use omphalos_report::placement::{Placement, list, of_list};
use omphalos_sys::control_group;
use serde_json::{Value, json};

use super::Findings;
use crate::elf::{self, Start};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::install::Installation;
use crate::verbs::run::on_omphalos;
use crate::{loader, machine, openmp, program, topology};
use judge::Around;
use probe::{Answer, Member};

/// Up to this number, each thread has a line.
const LINES: usize = 16;
/// Variables with which launchers bind processes.
const LAUNCHERS: [&str; 5] = ["OMPI_MCA_", "PRTE_MCA_", "HYDRA_", "I_MPI_PIN", "SLURM_CPU"];
/// Variables with which launchers say how many ranks a node has: Open MPI; MPICH and others with
/// Hydra; MVAPICH; Slurm.
const RANKS_OF_NODE: [&str; 4] = [
    "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
    "SLURM_NTASKS_PER_NODE",
];

/// Reports the places of threads, on Omphalos and on the runtime that the program gets by itself.
/// `words`: the program and its arguments, if there is a program.
///
/// # Errors
/// If there is no such program, or no runtime answers.
pub fn of_placement(
    findings: &mut Findings,
    words: &[OsString],
    installation: &Installation,
) -> Result<(), Failure> {
    let program = words.first().map(|name| program::find_any(name)).transpose()?;
    let mut around = around();
    findings.title("Placement");
    findings.line("machine", &judge::machine(&around.placement));
    let allowed = list(&around.placement.allowed);
    let online = list(&around.placement.online);
    findings.line("process", &format!("may use CPUs {allowed} of {online}"));
    if let Some(quota) = around.quota {
        findings.line("control group", &format!("grants {quota:.2} CPUs' worth of time"));
    }
    let ours = probe::ask_places(&on_omphalos(installation)?)?;
    team(findings, "", &ours, &around);
    findings.placement = Some(to_value(&ours, &around));
    findings.problems.extend(program.as_deref().and_then(|path| unseen::problem(words, path)));
    for complaint in ours.complaints.iter().filter(|line| !line.is_empty()) {
        findings.problems.push(format!("the runtime says: {complaint}"));
    }
    // A variable that the runtime refuses puts no thread anywhere.
    let is_refused = |set: &String| {
        let name = set.split_once('=').map_or(&**set, |(name, _)| name);
        ours.complaints.iter().any(|line| line.contains(name))
    };
    around.environment.retain(|set| !is_refused(set));
    findings.problems.extend(judge::problems(&ours.team, &around));
    for library in program.as_deref().map(own_runtimes).unwrap_or_default() {
        if installation.owns(&library) {
            continue;
        }
        let mut environment = Environment::default();
        environment.preload(&library)?;
        let name = library.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match probe::ask_places(&environment) {
            Ok(own) if are_alike(&own.team, &ours.team) => {
                findings.line(&name, "puts them in the same places");
            }
            Ok(own) => team(findings, &format!("{name}: "), &own, &around),
            Err(failure) => findings.line(&name, &format!("does not say: {}", failure.message)),
        }
    }
    findings.line("counted", "the default team: num_threads clauses and nested regions differ");
    Ok(())
}

fn are_alike(one: &[Member], other: &[Member]) -> bool {
    let cpus = |team: &[Member]| team.iter().map(|one| one.cpus.clone()).collect::<Vec<_>>();
    cpus(one) == cpus(other)
}

/// The OpenMP runtimes that a program gets by itself.
fn own_runtimes(path: &Path) -> Vec<std::path::PathBuf> {
    let Ok(own) = elf::read(path) else { return Vec::new() };
    let Start::Dynamic(interpreter) = own.start else { return Vec::new() };
    let libraries = loader::list(&interpreter, path, &Environment::default());
    let runtimes = libraries.into_iter().filter(|library| openmp::is_runtime(&library.name));
    runtimes.filter_map(|library| library.path).collect()
}

fn around() -> Around {
    let mut placement = Placement::default();
    placement.allowed = machine::usable().into_iter().collect();
    placement.machine = topology::all().into_iter().map(|cpu| (cpu.cpu, cpu)).collect();
    placement.online = placement.machine.keys().copied().collect();
    if placement.online.is_empty() {
        placement.online = placement.allowed.clone();
    }
    placement.cpuset = of_list(control_group::processors_list(&mut [0; 4096]));
    let variables = || {
        let all = std::env::vars_os();
        all.map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
    };
    let begins = |set: &String, with: &[&str]| with.iter().any(|with| set.starts_with(with));
    placement.launcher = variables().filter(|set| begins(set, &LAUNCHERS)).collect();
    let environment = variables().filter(|set| begins(set, &["OMP_", "GOMP_", "KMP_"])).collect();
    Around { placement, environment, quota: machine::quota(), ranks: ranks_of_node() }
}

/// Returns the number of ranks that a launcher started on this node, by its variable; 1 without.
fn ranks_of_node() -> usize {
    let number = |name: &&str| std::env::var(name).ok()?.trim().parse().ok();
    RANKS_OF_NODE.iter().find_map(number).unwrap_or(1)
}

/// Adds a line for each thread, or for threads that are alike.
fn team(findings: &mut Findings, of: &str, answer: &Answer, around: &Around) {
    let team = &answer.team;
    let bound = team.iter().any(|member| member.place.is_some());
    let how = match (team.len(), bound) {
        (1, _) => "1 thread".to_owned(),
        (threads, true) => format!("{threads} threads, bound to places"),
        (threads, false) => format!("{threads} threads, not bound: the system moves them"),
    };
    findings.line(&format!("{of}team"), &how);
    for group in groups(team) {
        let [first, .., last] = group else {
            let Some(one) = group.first() else { continue };
            let name = format!("{of}thread {}", one.number);
            findings.line(&name, &judge::place(one, &around.placement));
            continue;
        };
        let name = format!("{of}threads {}-{}", first.number, last.number);
        findings.line(&name, &judge::places(group, &around.placement));
    }
}

/// Returns consecutive threads for which one line is enough.
fn groups(team: &[Member]) -> Vec<&[Member]> {
    let is_long = team.len() > LINES;
    let alike = |one: &Member, other: &Member| {
        let same = one.cpus == other.cpus && one.place == other.place;
        // Each has a place of its own, of the same size.
        let in_turn = one.place != other.place && one.cpus.len() == other.cpus.len();
        same && one.place.is_none() || is_long && (same || in_turn)
    };
    team.chunk_by(alike).collect()
}

/// Returns the answer as JSON; `docs/doctor.schema.json` describes it.
fn to_value(answer: &Answer, around: &Around) -> Value {
    let member = |member: &Member| {
        let cpus = member.cpus.iter().copied().collect();
        json!({ "thread": member.number, "place": member.place, "cpus": list(&cpus) })
    };
    let placement = &around.placement;
    json!({
        "process_cpus": list(&placement.allowed),
        "online_cpus": list(&placement.online),
        "cpuset_cpus": list(&placement.cpuset),
        "quota_cpus": around.quota,
        "nodes": placement.nodes(),
        "threads": answer.team.iter().map(member).collect::<Vec<_>>(),
    })
}
