//! Checks of a whole job: its ranks, their times and calls by the program's own clock, and the
//! first finding.

use std::collections::BTreeMap;

use omphalos_tests::exec::Outcome;
use omphalos_tests::paths;
use serde_json::Value;

use super::mpi::Done;

/// Reads the time and the calls of each rank in the lines `rank N in_mpi S calls C`.
fn told(outcome: &Outcome) -> BTreeMap<u64, (f64, u64)> {
    let read = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["rank", rank, "in_mpi", time, "calls", calls] => {
                Some((rank.parse().ok()?, (time.parse().ok()?, calls.parse().ok()?)))
            }
            _ => None,
        }
    };
    outcome.stdout.lines().filter_map(read).collect()
}

/// Reads the time in `MPI_Finalize` of each rank that prints it: `rank N finalize S`.
fn finalized(outcome: &Outcome) -> BTreeMap<u64, f64> {
    let read = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["rank", rank, "finalize", time] => Some((rank.parse().ok()?, time.parse().ok()?)),
        _ => None,
    };
    outcome.stdout.lines().filter_map(read).collect()
}

/// Checks any job: all ranks are there, their times add up, and calls and their time agree with the
/// program's own clock.
pub fn holds(done: &Done, ranks: u32) -> Result<(), String> {
    let told = told(&done.outcome);
    let mut faults = Vec::new();
    if told.len() != ranks as usize || done.rows("ranks").count() != ranks as usize {
        faults.push(format!("{} ranks spoke, not {ranks}", told.len()));
    }
    let mut in_calls: f64 = 0.0;
    for row in done.rows("mpi_calls") {
        let function = row["function"].as_str().unwrap_or_default();
        if !["MPI_Init", "MPI_Init_thread", "MPI_Finalize"].contains(&function) {
            in_calls += row["elapsed_ns"].as_f64().unwrap_or(f64::NAN) / 1e9;
        }
        if row["wait_ns"].as_u64() > row["elapsed_ns"].as_u64() {
            faults.push(format!("more waiting than time: {row}"));
        }
    }
    let own: f64 = told.values().map(|(time, _)| time).sum();
    // A call begins after the program reads its clock, and ends before it reads the clock again: so
    // the call has no more time, and hardly less. A busy machine may stop a rank between the two.
    let had_cpus = done.job()["efficiency"]["cpu"].as_f64() >= Some(0.9);
    let agrees = |time: f64, own: f64| {
        let least = if had_cpus { 0.97 * own - 0.02 } else { 0.0 };
        (least..own + 0.001).contains(&time)
    };
    if !agrees(in_calls, own) {
        faults.push(format!("{in_calls} s in MPI, {own} s by the program's own clock"));
    }
    let ends = finalized(&done.outcome);
    let parts = [
        "work_ns", "serial_ns", "openmp_wait_ns", "blocked_ns", "without_cpu_ns", "mpi_wait_ns",
        "mpi_transfer_ns", "mpi_other_ns", "mpi_start_ns",
    ];
    for row in done.rows("ranks") {
        let sum: u64 = parts.iter().filter_map(|part| row[part].as_u64()).sum();
        if row["threads_alive_ns"].as_u64() != Some(sum) {
            faults.push(format!("its parts add up to {sum}: {row}"));
        }
        let rank = row["rank"].as_u64().unwrap_or(u64::MAX);
        // The program does not count its first and its last call of MPI.
        let calls = told.get(&rank).map(|(_, calls)| calls + 2);
        if row["mpi_calls"].as_u64() != calls {
            faults.push(format!("{calls:?} calls by its own count: {row}"));
        }
        let (Some((own, _)), Some(end)) = (told.get(&rank), ends.get(&rank)) else { continue };
        let own = own + end;
        let parts = ["mpi_wait_ns", "mpi_transfer_ns", "mpi_other_ns"];
        let in_mpi: u64 = parts.iter().filter_map(|part| row[part].as_u64()).sum();
        if !agrees(in_mpi as f64 / 1e9, own) {
            faults.push(format!("{own} s in MPI by its own clock: {row}"));
        }
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!("{}\n{:#}", faults.join("\n"), done.job())),
    }
}

/// Finds the line of a source with this mark, as `NAME:LINE `.
pub fn line(name: &str, mark: &str) -> String {
    let path = paths::tests().join("jobs").join(name);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let at = text.lines().position(|line| line.ends_with(mark)).map_or(0, |at| at + 1);
    format!("{name}:{at} ")
}

/// Checks that the first finding is this one, of these ranks, at the line with this mark.
pub fn first(
    done: &Done,
    name: &str,
    disease: &str,
    ranks: &[u64],
    mark: &str,
) -> Result<(), String> {
    let finding = &done.job()["findings"][0];
    let place = finding["place"].as_str().unwrap_or_default();
    let found: Vec<u64> =
        finding["ranks"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let is_there = mark.is_empty() || format!("{place} ").contains(&line(name, mark));
    match finding["disease"] == disease && found == ranks && is_there {
        true => Ok(()),
        false => Err(format!("not {disease} of {ranks:?} first: {:#}", done.job())),
    }
}

/// This disease, which most ranks do not have, is found in none, or costs little beside the first.
pub fn little(done: &Done, disease: &str) -> Result<(), String> {
    let cost = |finding: &Value| finding["cost_ns"].as_u64().unwrap_or(0);
    let findings = done.job()["findings"].as_array().cloned().unwrap_or_default();
    let most = findings.first().map_or(0, cost);
    match findings.iter().find(|one| one["disease"] == disease && 2 * cost(one) >= most) {
        None => Ok(()),
        Some(found) => Err(format!("it does not hold of most ranks: {found:#}")),
    }
}
