//! `omphalos top --job`: all ranks of an MPI job on this machine, in one table.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use omphalos_inspect::ranks::{self, Job};
use omphalos_inspect::space::live::command;
use omphalos_inspect::text::plain;
use omphalos_inspect::top::Ranks;
use omphalos_ompd_view::Fault;

use super::screen::{self, Pictures};
use super::{Arguments, LOOKS, show};
use crate::failure::Failure;
use crate::terminal::Stream;

/// How many jobs are named if it is not clear which is meant.
const MOST_NAMED: usize = 4;

/// Shows the job's ranks until all have ended, or once.
pub fn run(arguments: &Arguments, which: &OsStr, every: Duration) -> Result<i32, Failure> {
    let mut ranks = Ranks::new(&find(which)?, arguments.no_stop);
    if !arguments.once && !arguments.plain && screen::can_be_shown() {
        let stops_nothing = arguments.no_stop;
        return screen::run_job(
            ranks,
            Pictures { every, is_child: false, is_rank: false, stops_nothing },
        );
    }
    let mut shown = false;
    loop {
        match ranks.picture(every, LOOKS) {
            Ok(picture) => show(&picture.text(), true, Stream::Out)?,
            Err(Fault::Gone) if shown => return Ok(0),
            Err(Fault::Gone) => return Err(Failure::ours("the job has ended")),
            Err(fault) => return Err(Failure::ours(fault.to_string())),
        }
        shown = true;
        if arguments.once {
            return Ok(0);
        }
    }
}

/// Returns the job that is meant: an empty word means the only one.
fn find(which: &OsStr) -> Result<Job, Failure> {
    let mut jobs = ranks::jobs();
    let text = plain(&which.to_string_lossy());
    if let Ok(pid) = text.parse::<u32>() {
        jobs.retain(|job| job.has(pid));
    } else if !which.is_empty() {
        let folder = Path::new(which);
        if !folder.is_dir() {
            return Err(Failure::ours(format!(
                "'{text}' is neither the number of a process nor the folder of a job's profiles"
            )));
        }
        jobs.retain(|job| job.writes_to(folder));
    }
    match jobs.len() {
        1 => Ok(jobs.remove(0)),
        0 if which.is_empty() => Err(Failure::ours(
            "no job of MPI is on this machine that you may look at: none of your processes has the \
             rank that mpirun, mpiexec or srun set (see the ranks of all users with sudo)",
        )),
        0 => Err(Failure::ours(format!("no job of MPI on this machine belongs to '{text}'"))),
        all => Err(Failure::ours(format!(
            "{all} jobs of MPI are on this machine: say which by --job and a process of it: {}",
            named(&jobs)
        ))),
    }
}

/// Returns a process of each job, and its program.
fn named(jobs: &[Job]) -> String {
    let one = |job: &Job| {
        let rank = job.ranks.first()?;
        let program = command(rank.pid).into_iter().next().unwrap_or_default();
        Some(format!("{} ({}, {} ranks here)", rank.pid, plain(&program), job.ranks.len()))
    };
    let mut all: Vec<String> = jobs.iter().take(MOST_NAMED).filter_map(one).collect();
    if jobs.len() > MOST_NAMED {
        all.push(format!("and {} more", jobs.len() - MOST_NAMED));
    }
    all.join(", ")
}
