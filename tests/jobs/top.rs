//! `omphalos top --job`: the ranks of a running job, each with what it does and where.

use std::process::Command;
use std::time::{Duration, Instant};

use omphalos_tests::{exec, paths};

use super::mpi::Mpi;
use super::running::Job;
use super::whole::line;

/// The time in which each rank must reach the place where it stays.
const LIMIT: Duration = Duration::from_secs(120);
/// Splits the rows of a picture into words.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().skip_while(|line| !line.contains(" RANK ")).skip(1);
    rows.take_while(|row| !row.trim().is_empty())
        .map(|row| row.split_whitespace().collect())
        .collect()
}

/// Whether the picture has one row for each rank: rank 1 at its work, the others in MPI's barrier.
fn is_right(text: &str) -> bool {
    let rows = rows(text);
    let waits = line("stands.c", "// waits");
    let ranks: Vec<&str> = rows.iter().filter_map(|row| row.first().copied()).collect();
    let is_of = |rank: usize| {
        let row = rows[rank].join(" ") + " ";
        match rank {
            1 => row.contains(" in used: runs ") || row.contains(" in work: runs "),
            _ => row.contains(&format!("{waits}in main: in ")) && row.contains("MPI_Barrier "),
        }
    };
    let has_threads = || rows.iter().all(|row| row[2].parse::<u32>().is_ok_and(|all| all > 0));
    let works = || rows[1][4].trim_end_matches('%').parse::<u32>().is_ok_and(|work| work > 50);
    ranks == ["0", "1", "2"] && (0..3).all(is_of) && has_threads() && works()
}

/// Tests `top` with the launcher's process, with a rank's process, and, where the job is profiled,
/// with its folder.
pub fn names_each_rank(mpi: Mpi, words: &[&str]) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs top {} {}", mpi.name(), words[0]));
    let job = Job::start(mpi, ("stands.c", 3), &folder, words)?;
    let top = |which: &str| {
        let mut command = Command::new(paths::omphalos());
        command.args(["top", "--once", "--job", which]);
        exec::run(command.current_dir(&folder))
    };
    let begun = Instant::now();
    let seen = loop {
        let seen = top(&job.child.id().to_string())?;
        if seen.success() && seen.stdout.contains(": 3 ranks") && is_right(&seen.stdout) {
            break seen;
        }
        if begun.elapsed() > LIMIT {
            return Err(seen.describe());
        }
    };
    let processes = |text: &str| -> Vec<String> {
        rows(text).iter().filter_map(|row| row.get(1).map(|pid| (*pid).to_owned())).collect()
    };
    let expected = processes(&seen.stdout);
    let mut ways = vec![expected[2].clone()];
    if words[0] == "profile" {
        ways.push("job".to_owned());
    }
    for which in ways {
        let other = top(&which)?;
        if processes(&other.stdout) != expected {
            return Err(format!("not the same ranks by {which}: {}", other.describe()));
        }
    }
    let other = top("2147483647")?;
    if other.success() || !other.stderr.contains("no job of MPI on this machine belongs to") {
        return Err(other.describe());
    }
    drop(job);
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}
