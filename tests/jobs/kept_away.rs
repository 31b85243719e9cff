//! Jobs in which a rank comes late for another reason than its work: it sleeps, its control group
//! stops it, or the ranks of the node have more threads than it has CPUs.

use std::thread::available_parallelism;

use omphalos_tests::control_group::with_quota;
use omphalos_tests::paths;
use serde_json::Value;

use super::mpi::{Done, Mpi, profile, profile_by};
use super::whole::{first, holds};

/// A node with more CPUs gets no crowd of ranks.
const MOST_CPUS: usize = 8;

/// Tests that a rank that sleeps is named, and where it sleeps.
pub fn asleep(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs sleeps {}", mpi.name()));
    let done = profile(mpi, "sleeps.c", 2, &folder)?;
    holds(&done, 2)?;
    first(&done, "sleeps.c", "rank-blocked", &[0], "// sleeps")?;
    none_comes_by_turns(&done)?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// Tests that a rank that its control group stops is named, and the group's grant.
pub fn throttled(mpi: Mpi) -> Result<(), String> {
    let name = format!("job-{}", mpi.name());
    let Some(group) = with_quota(&name, "20000") else {
        eprintln!("a throttled rank: no control group can be made here");
        return Ok(());
    };
    let folder = paths::scratch(&format!("jobs throttled {}", mpi.name()));
    let session = paths::scratch(&format!("jobs session throttled {}", mpi.name()));
    let mut command = mpi.run(2, &session);
    let words = group.words();
    // Rank 1 alone enters the group.
    let enter = format!("[ ${{PMI_RANK:-$OMPI_COMM_WORLD_RANK}} = 0 ] || {}", words[2]);
    command.args([&*words[0], &words[1], &enter, &words[3]]);
    let done = profile_by(command, mpi, "even.c", 2, &folder);
    let _ = std::fs::remove_dir_all(&session);
    let done = done?;
    first(&done, "even.c", "throttled", &[1], "")?;
    none_comes_by_turns(&done)?;
    let said = done.job()["findings"][0]["evidence"].as_str().unwrap_or_default();
    let _ = std::fs::remove_dir_all(&folder);
    match said.starts_with("it grants 0.20 CPUs (20.0 ms each 100.0 ms), and 2 threads work") {
        true => Ok(()),
        false => Err(format!("what does the group grant? {said}")),
    }
}

/// Tests that more threads of all ranks than the node has CPUs are a finding, ahead of the time in
/// MPI, which they cause.
pub fn crowded(mpi: Mpi) -> Result<(), String> {
    let cpus = available_parallelism().map_or(1, usize::from);
    if !(2..=MOST_CPUS).contains(&cpus) {
        return Ok(());
    }
    let folder = paths::scratch(&format!("jobs crowded {}", mpi.name()));
    let ranks = cpus as u32;
    let done = profile(mpi, "even.c", ranks, &folder)?;
    holds(&done, ranks)?;
    let at = |disease: &str| done.rows("findings").position(|row| row["disease"] == disease);
    let found = at("oversubscription").and_then(|at| done.rows("findings").nth(at));
    let name = found.and_then(|row| row["name"].as_str()).unwrap_or_default();
    let wanted = format!("ranks 0-{} have {} threads on {cpus} CPUs", ranks - 1, 2 * ranks);
    let is_ahead = at("communication").is_none_or(|other| at("oversubscription") < Some(other));
    let _ = std::fs::remove_dir_all(&folder);
    match name == wanted && is_ahead {
        true => Ok(()),
        false => Err(format!("not {wanted:?}: {:#}", done.job())),
    }
}

/// Checks that no finding says that ranks come late by turns: one rank always does.
fn none_comes_by_turns(done: &Done) -> Result<(), String> {
    let is_one = |row: &&Value| row["name"].as_str().is_some_and(|name| name.contains("by turns"));
    match done.rows("findings").find(is_one) {
        None => Ok(()),
        Some(_) => Err(format!("by turns? {:#}", done.job())),
    }
}
