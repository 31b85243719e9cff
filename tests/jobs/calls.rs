//! The report about calls of MPI: their number, the ranks that wait in them, and the level of
//! threads.

use serde_json::Value;

use super::mpi::{Done, report};

pub fn counted(done: &Done, expected: &[(&str, u64)]) -> Result<(), String> {
    let counts = done.counts();
    let wrong = expected.iter().find(|(name, count)| counts.get(name) != Some(count));
    match wrong {
        None => Ok(()),
        Some(wrong) => Err(format!("not {wrong:?}: {counts:?}")),
    }
}

/// Tests that the report knows the waits in each collective call, on all communicators.
pub fn collectives(done: &Done) -> Result<(), String> {
    // Twenty rounds on three communicators, by four ranks.
    counted(done, &["MPI_Bcast", "MPI_Scan", "MPI_Alltoallv"].map(|name| (name, 240)))?;
    let all = ["Barrier", "Gather", "Scatterv", "Reduce", "Exscan", "Reduce_scatter_block"];
    let rows: Vec<&Value> = done.rows("mpi_calls").collect();
    for name in all {
        let function = format!("MPI_{name}");
        let found = rows.iter().find(|row| row["function"] == *function);
        let is_known = found
            .is_some_and(|row| row["wait_ns"].is_u64() && row["ranks"] == 4 && row["count"] == 240);
        if !is_known {
            return Err(format!("nothing is known of waits in {function}: {rows:#?}"));
        }
    }
    Ok(())
}

/// Tests calls whose time is nearly all waiting for the other rank, as the report must say.
pub fn late(done: &Done, functions: &[&str]) -> Result<(), String> {
    let had_cpus = done.job()["efficiency"]["cpu"].as_f64() >= Some(0.9);
    for function in functions {
        let is_its = |row: &&Value| row["function"] == **function;
        let rows: Vec<&Value> = done.rows("mpi_calls").filter(is_its).collect();
        let figure = |row: &&Value, part: &str| row[part].as_f64().unwrap_or(f64::NAN);
        let sum = |part: &str| rows.iter().map(|row| figure(row, part)).sum();
        let (wait, elapsed): (f64, f64) = (sum("wait_ns"), sum("elapsed_ns"));
        let least = if had_cpus { 0.6 * elapsed } else { 0.0 };
        if !(wait > least && wait <= elapsed) {
            return Err(format!("{wait} of {elapsed} ns waiting in {function}: {:#}", done.job()));
        }
    }
    Ok(())
}

/// Tests that the waits of all ranks in these functions agree with the program, which knows them
/// from the moments at which the ranks came; the other time in the calls is transfer.
pub fn waits(done: &Done, functions: &[&str]) -> Result<(), String> {
    let read = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["rank", _, "waited", function, time] => Some((function.to_owned(), time.parse().ok()?)),
        _ => None,
    };
    let told: Vec<(String, f64)> = done.outcome.stdout.lines().filter_map(read).collect();
    let had_cpus = done.job()["efficiency"]["cpu"].as_f64() >= Some(0.9);
    for function in functions {
        let own: f64 = told.iter().filter(|of| of.0 == **function).map(|of| of.1).sum();
        let rows = done.rows("mpi_calls");
        let rows = rows.filter(|row| row["function"] == format!("MPI_{function}"));
        let known: Option<Vec<f64>> = rows.map(|row| row["wait_ns"].as_f64()).collect();
        let Some(known) = known.filter(|known| !known.is_empty()) else {
            return Err(format!("nothing is known of waits in MPI_{function}: {:#}", done.job()));
        };
        let wait = known.iter().sum::<f64>() / 1e9;
        // A busy machine may stop a rank between its clock and its call.
        if had_cpus && (wait - own).abs() > 0.03 * own + 0.002 {
            let what = format!("{wait} s of waiting in MPI_{function}, {own} s by its own clock");
            return Err(format!("{what}: {:#}", done.job()));
        }
    }
    Ok(())
}

/// Tests that ranks which access one part of a window one after the other wait for each other.
/// Libraries wait in different calls.
pub fn access(done: &Done) -> Result<(), String> {
    let calls = ["MPI_Win_lock", "MPI_Win_flush", "MPI_Win_unlock"];
    let rows = done.rows("mpi_calls");
    let rows = rows.filter(|row| calls.iter().any(|call| row["function"] == **call));
    let wait: f64 = rows.filter_map(|row| row["wait_ns"].as_f64()).sum();
    match wait > 0.0 {
        true => Ok(()),
        false => Err(format!("nobody waited for access to a window: {:#}", done.job())),
    }
}

/// Tests that the report of the first stage's rank says that it is in MPI, and where, and that its
/// times add up.
pub fn pipeline(done: &Done) -> Result<(), String> {
    counted(done, &[("MPI_Sendrecv", 80)])?;
    let report = report(&done.folder.join("rank-0.omph"))?;
    let first = &report["diagnosis"][0];
    let place = first["place"].as_str().unwrap_or_default();
    let main = &report["threads"][0];
    let time = |part: &str| main[part].as_u64().unwrap_or(u64::MAX);
    let parts = ["openmp_work_ns", "openmp_wait_ns", "blocked_ns", "without_cpu_ns", "mpi_ns"];
    let sum: u64 = parts.iter().map(|part| time(part)).sum();
    let row = done.rows("ranks").find(|row| row["rank"] == 0).unwrap_or(&Value::Null);
    let all = ["mpi_wait_ns", "mpi_transfer_ns", "mpi_other_ns", "mpi_start_ns"];
    let in_mpi: u64 = all.iter().filter_map(|part| row[part].as_u64()).sum();
    let is_said = first["disease"] == "mpi" && place.contains("MPI_Sendrecv at pipeline.c:");
    match is_said && sum == time("alive_ns") && time("mpi_ns") == in_mpi {
        true => Ok(()),
        false => Err(format!("{in_mpi} ns in MPI: {first:#} {main:#}")),
    }
}

pub fn level(done: &Done, level: &str, threads: u64) -> Result<(), String> {
    let job = done.job();
    let are_so_many = done.rows("ranks").all(|row| row["mpi_threads"] == threads);
    let is_quiet = job["warnings"].as_array().is_some_and(Vec::is_empty);
    match job["thread_level"] == level && are_so_many && is_quiet {
        true => Ok(()),
        false => Err(format!("not {level} with {threads} threads: {job:#}")),
    }
}
