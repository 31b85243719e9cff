//! A job that hangs, and is ended by Ctrl-C.

use std::time::Duration;

use omphalos_tests::paths;
use serde_json::Value;

use super::mpi::{Mpi, report};
use super::running::Job;
use super::whole::line;

/// The time in which the job hangs.
const HUNG: Duration = Duration::from_secs(2);
/// The least part of it that is in the record, ns: the agent writes totals several times a second,
/// and a busy machine keeps it from that.
const LEAST: u64 = 500_000_000;

/// Tests that the report has the calls in which the ranks were, with their time, and names them
/// first.
pub fn is_named(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs hung {}", mpi.name()));
    let mut job = Job::start(mpi, ("hung.c", 2), &folder, &["profile", "-o", "job"])?;
    std::thread::sleep(HUNG);
    job.end_by(libc::SIGINT);
    let report = report(&folder.join("job"))?;
    let place = |mark: &str| format!("{}in main", line("hung.c", mark));
    let (lost, waits) = (place("// nothing comes"), place("// waits for rank 0"));
    let job = &report["job"];
    for (function, place) in [("MPI_Recv", &lost), ("MPI_Barrier", &waits)] {
        let mut rows = job["mpi_calls"].as_array().into_iter().flatten();
        let is_it = |row: &&Value| row["function"] == function && row["place"] == **place;
        let row = rows.find(is_it).ok_or_else(|| format!("no {function} at {place}: {job:#}"))?;
        let is_right = row["count"] == 1 && row["ranks"] == 1 && row["wait_ns"].is_null();
        if !is_right || row["elapsed_ns"].as_u64() < Some(LEAST) {
            return Err(format!("{row:#}"));
        }
    }
    let first = &job["findings"][0];
    let name =
        format!("at the end rank 0 is in MPI_Recv at {lost}, rank 1 in MPI_Barrier at {waits}");
    let _ = std::fs::remove_dir_all(&folder);
    match first["disease"] == "unfinished-call" && first["name"] == name {
        true => Ok(()),
        false => Err(format!("not {name:?}: {first:#}")),
    }
}
