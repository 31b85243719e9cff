//! `omphalos top --job`: the ranks of a running job, each with what it does and where.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use omphalos_tests::{exec, paths};

use super::mpi::Mpi;
use super::whole::line;

/// The time in which each rank must reach the place where it stays.
const LIMIT: Duration = Duration::from_secs(120);
/// The time in which the job must end.
const PATIENCE: Duration = Duration::from_secs(10);

/// A job that ends with its test.
struct Job {
    child: Child,
    /// The ranks' output. MPICH's launcher ends its job if no reader is left for it.
    out: BufReader<ChildStdout>,
    session: PathBuf,
}

impl Drop for Job {
    fn drop(&mut self) {
        // SAFETY: a signal to a process that this program has started.
        unsafe { libc::kill(self.child.id().cast_signed(), libc::SIGTERM) };
        let asked = Instant::now();
        while self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            if asked.elapsed() > PATIENCE {
                let _ = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = std::fs::remove_dir_all(&self.session);
    }
}

/// Starts three ranks of `stands.c`, each under `omphalos` with these words.
fn start(mpi: Mpi, folder: &Path, words: &[&str]) -> Result<Job, String> {
    let binary = mpi.compile("stands.c", folder)?;
    let session = paths::scratch(&format!("jobs session top {} {}", mpi.name(), words[0]));
    let mut command = mpi.run(3, &session);
    command.arg(paths::omphalos()).args(words).arg("--").arg(binary);
    command.current_dir(folder).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
    let out = BufReader::new(child.stdout.take().ok_or("no output")?);
    let mut job = Job { child, out, session };
    // MPICH writes the words of several ranks as they come, and the ends of lines after them.
    let mut ready = 0;
    for line in job.out.by_ref().lines().map_while(Result::ok) {
        ready += line.matches("ready").count();
        if ready >= 3 {
            break;
        }
    }
    match ready {
        3 => Ok(job),
        _ => Err("the job ended before it was ready".to_owned()),
    }
}

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
    let job = start(mpi, &folder, words)?;
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
