//! The folder of a job's profiles.

use std::process::Command;

use omphalos_tests::{exec, paths};
use serde_json::Value;

use super::mpi::{Mpi, profile, report};
use super::whole::holds;

/// Tests that a later job in the same folder replaces the earlier one, also with fewer ranks.
pub fn again_with_fewer(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs again {}", mpi.name()));
    profile(mpi, "funnelled.c", 3, &folder)?;
    let done = profile(mpi, "funnelled.c", 2, &folder)?;
    holds(&done, 2)?;
    let warning = done.job()["warnings"][0].as_str().unwrap_or_default();
    let files = std::fs::read_dir(&done.folder).map_or(0, Iterator::count);
    match warning.contains("1 of the files are of other jobs") && files == 3 {
        true => Ok(()),
        false => Err(format!("{files} files, and: {:#}", done.job())),
    }
}

/// Tests that without `-o` the folder's name comes from the program and the job, and that profiles
/// with names of the user's choice make one report when they are given together. A line says how to
/// get one report if `omphalos` starts the launcher.
pub fn names_of_their_own(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs names {}", mpi.name()));
    let binary = mpi.compile("funnelled.c", &folder)?;
    let run = |options: &[&str]| {
        let session = paths::scratch(&format!("jobs session names {}", mpi.name()));
        let mut command = mpi.run(2, &session);
        command.arg(paths::omphalos()).arg("profile").args(options).arg("--").arg(&binary);
        exec::run(command.current_dir(&folder))
    };
    let outcome = run(&["--no-report"])?;
    let made: Vec<String> = std::fs::read_dir(&folder)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("omphalos-"))
        .collect();
    let is_one = made.len() == 1 && made[0].starts_with("omphalos-funnelled_c-");
    let is_said = outcome.stderr.contains(&format!("omphalos report {}", made.join(" ")));
    if !is_one || !is_said || outcome.stderr.contains("a job of") {
        return Err(format!("made {made:?}: {}", outcome.describe()));
    }
    report(&folder.join(&made[0]))?;
    run(&["--no-report", "-o", "own.%r.omph"])?;
    let mut command = Command::new(paths::omphalos());
    command.args(["report", "own.0.omph", "own.1.omph"]);
    let outcome = exec::run(command.current_dir(&folder))?;
    if !outcome.stdout.contains("a job of 2 ranks") {
        return Err(outcome.describe());
    }
    let session = paths::scratch(&format!("jobs session turned {}", mpi.name()));
    let launcher = mpi.run(2, &session);
    let mut command = Command::new(paths::omphalos());
    command.args(["profile", "--no-report", "-o", "turned.omph", "--"]);
    command.arg(launcher.get_program()).args(launcher.get_args()).arg(&binary);
    let set = launcher.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let outcome = exec::run(command.envs(set).current_dir(&folder))?;
    match outcome.stderr.contains("where its launcher starts omphalos") {
        true => Ok(()),
        false => Err(outcome.describe()),
    }
}

/// Tests that the report of ranks of which only a part was measured is of that part.
pub fn part_of_the_run(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs part {}", mpi.name()));
    let binary = mpi.compile("rounds.c", &folder)?;
    let session = paths::scratch(&format!("jobs session part {}", mpi.name()));
    let mut command = mpi.run(2, &session);
    command.arg(paths::omphalos()).args(["profile", "--delay", "400ms", "--for", "400ms"]);
    command.args(["--no-report", "-o", "job", "--"]).arg(&binary);
    let outcome = exec::run(command.current_dir(&folder))?;
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let report = report(&folder.join("job"))?;
    let job = &report["job"];
    let of = |value: &Value, field: &str| value[field].as_u64().unwrap_or(0);
    let (elapsed, run) = (of(job, "elapsed_ns"), of(job, "run_ns"));
    let mut ranks = job["ranks"].as_array().into_iter().flatten();
    // Threads live for the part, and not for the run.
    let is_of_part = |rank: &Value| {
        let alive = of(rank, "threads_alive_ns") / of(rank, "threads").max(1);
        alive > 0 && alive < elapsed.midpoint(run)
    };
    match elapsed > 0 && elapsed + 400_000_000 < run && ranks.all(is_of_part) {
        true => Ok(()),
        false => Err(format!("{job:#}")),
    }
}
