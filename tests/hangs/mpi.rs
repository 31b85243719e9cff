//! A job of MPI that hangs: the answer about each process names the function of MPI, its line and
//! the rank.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths, suite};

use super::{LIMIT, ask, expected, findings, is_right};

/// Returns the tests of each installed implementation.
pub fn tests() -> Vec<Trial> {
    let mut trials = Vec::new();
    for mpi in Mpi::all() {
        let title = |what: &str| format!("hangs::{}::{what}", mpi.name());
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            for source in [
                "receive.c", "receive_of_worker.c", "other_tag.c", "collective.c", "send.c",
                "finalize.c",
            ] {
                let name = source.trim_end_matches(".c");
                let title = title(&format!("{name}::{}", compiler.name()));
                let test = move || every_rank_is_named(mpi, source, compiler);
                trials.push(suite::test(title, test));
            }
        }
        for (name, wanted, more) in VERDICTS {
            let title = title(&format!("one_verdict_for_all::{name}"));
            let source = format!("{name}.c");
            let test = move || one_verdict_for_all(mpi, &source, (wanted, more), Compiler::Gcc);
            trials.push(suite::test(title, test));
        }
        let test = move || ranks_in_turns_go_on(mpi, Compiler::Gcc);
        trials.push(suite::test(title("ranks_in_turns_go_on"), test));
        let test = move || every_rank_says_why(mpi, Compiler::Gcc);
        trials.push(suite::test(title("every_rank_says_why"), test));
    }
    trials
}

/// A job that ends with its test. Its launcher ends the processes when it is asked to, but not when
/// it is killed.
struct Job {
    child: Child,
    session: PathBuf,
}

impl Drop for Job {
    fn drop(&mut self) {
        // SAFETY: a signal to a process that this program has started.
        unsafe { libc::kill(self.child.id() as libc::pid_t, libc::SIGTERM) };
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

/// The time in which a job must end.
const PATIENCE: Duration = Duration::from_secs(10);

/// An implementation of MPI.
#[derive(Clone, Copy)]
enum Mpi {
    Open,
    Mpich,
}

impl Mpi {
    /// The implementations of this machine: Open MPI must be installed, MPICH (Debian's `mpich`)
    /// may be.
    fn all() -> Vec<Mpi> {
        // The compiler's wrapper may be installed without the header.
        let shown = Command::new(Mpi::Mpich.compiler()).arg("-show").output();
        let shown = shown.map_or_else(|_| Vec::new(), |output| output.stdout);
        let shown = String::from_utf8_lossy(&shown);
        let mut folders = shown.split_whitespace().filter_map(|word| word.strip_prefix("-I"));
        let has_mpich = folders.any(|folder| Path::new(folder).join("mpi.h").exists());
        [Mpi::Open].into_iter().chain(has_mpich.then_some(Mpi::Mpich)).collect()
    }

    /// The name in a test's title.
    fn name(self) -> &'static str {
        match self {
            Mpi::Open => "openmpi",
            Mpi::Mpich => "mpich",
        }
    }

    /// The compiler's name where both implementations are installed.
    fn compiler(self) -> &'static str {
        match self {
            Mpi::Open => "mpicc.openmpi",
            Mpi::Mpich => "mpicc.mpich",
        }
    }

    /// Returns the command of two processes on this machine; `session` is a folder for this job
    /// alone.
    fn run(self, session: &Path) -> Command {
        match self {
            Mpi::Open => mpirun(session),
            Mpi::Mpich => {
                let mut command = Command::new("mpiexec.mpich");
                command.args(["-launcher", "fork", "-n", "2"]).stdin(Stdio::null());
                command.env("OMP_WAIT_POLICY", "passive");
                command
            }
        }
    }
}

/// Returns the command of two processes of Open MPI on this machine. It works also for root, in a
/// container, and without ssh.
fn mpirun(session: &Path) -> Command {
    let mut command = Command::new("mpirun.openmpi");
    command.args(["--oversubscribe", "-n", "2"]).stdin(Stdio::null());
    for (name, value) in [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("OMPI_MCA_plm", "isolated"),
        ("OMPI_MCA_btl", "self,vader"),
        ("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
        ("OMP_WAIT_POLICY", "passive"),
        ("OMPI_MCA_orte_tmpdir_base", &session.to_string_lossy()),
    ] {
        command.env(name, value);
    }
    command
}

/// Makes an empty folder for this test's job alone: other tests, in this process and in others, run
/// jobs at the same time.
fn session() -> PathBuf {
    static JOBS: AtomicU32 = AtomicU32::new(0);
    let job = JOBS.fetch_add(1, Ordering::Relaxed);
    paths::scratch(&format!("mpi-{}-{job}", std::process::id()))
}

fn source(name: &str) -> PathBuf {
    paths::tests().join("hangs/mpi").join(name)
}

fn program(mpi: Mpi, name: &str, compiler: Compiler) -> Result<PathBuf, String> {
    let output = Command::new(mpi.compiler()).arg("-show").output();
    let output = output.map_err(|e| format!("{}: {e}", mpi.compiler()))?;
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    // The first word is the wrapper's own compiler.
    let flags: Vec<&str> = shown.split_whitespace().skip(1).collect();
    compiler.compile(&source(name), &flags)
}

/// Reads lines in another thread, so that the caller can wait for one with a time limit.
fn read_aside(out: ChildStdout) -> Receiver<String> {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    told
}

/// Starts a job, waits until each of its ranks is ready, and returns their processes too.
fn start(mpi: Mpi, name: &str, compiler: Compiler) -> Result<(Job, Vec<u32>), String> {
    let session = session();
    let mut command = mpi.run(&session);
    Runtime::Omphalos.apply(&mut command);
    command.arg(program(mpi, name, compiler)?).stdout(Stdio::piped());
    let child = command.spawn().map_err(|e| format!("{command:?}: {e}"))?;
    let mut job = Job { child, session };
    let out = job.child.stdout.take().ok_or("no output")?;
    let mut ranks = Vec::new();
    let mut ready = 0;
    let lines = read_aside(out);
    let begun = Instant::now();
    while (ranks.len(), ready) != (2, 2) {
        let line = match lines.recv_timeout(LIMIT.saturating_sub(begun.elapsed())) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => {
                return Err("the job ended before it was ready".into());
            }
            Err(RecvTimeoutError::Timeout) => {
                let stacks: Vec<String> = ranks.iter().map(|pid| exec::stacks(*pid)).collect();
                let stacks = stacks.join("\n");
                return Err(format!("ranks {ranks:?}, {ready} of them ready; {stacks}"));
            }
        };
        // MPICH may write the words of several ranks on one line, and the ends of lines after them.
        for child in line.split("child ").skip(1) {
            let digits = child.find(|c: char| !c.is_ascii_digit()).unwrap_or(child.len());
            ranks.extend(child[..digits].parse::<u32>());
        }
        ready += line.matches("ready").count();
    }
    Ok((job, ranks))
}

/// Tests `why` about each process, and `--all`, which finds the processes by itself.
fn every_rank_is_named(mpi: Mpi, name: &str, compiler: Compiler) -> Result<(), String> {
    let expected = expected(&source(name))?;
    let (_job, ranks) = start(mpi, name, compiler)?;
    let begun = Instant::now();
    for pid in &ranks {
        loop {
            let (seen, text) = ask(*pid)?;
            if is_right(findings(&seen), &expected, name) && text.contains(&expected.says) {
                break;
            }
            if begun.elapsed() > LIMIT {
                return Err(format!("no '{}' of process {pid}:\n{text}", expected.kind));
            }
        }
    }
    let output = Command::new(paths::omphalos())
        .args(["inspect", "--all"])
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for pid in &ranks {
        let head = text.lines().find(|line| line.starts_with(&format!("process {pid} ")));
        if !head.is_some_and(|head| head.contains(", rank ") && head.contains(" of 2 on Omphalos"))
        {
            return Err(format!("--all does not show process {pid} with its rank:\n{text}"));
        }
    }
    Ok(())
}

/// Programs, the words with which the answer about all ranks begins, and further words of it.
const VERDICTS: [(&str, &str, &[&str]); 9] = [
    (
        "elsewhere",
        "No rank of the job of 2 goes on, and they are not in one operation: rank 0 is in MPI_Recv \
         at elsewhere.c:15 in main (tag 7, from rank 1 of its communicator); rank 1 is in \
         MPI_Barrier at elsewhere.c:17 in main.",
        &[],
    ),
    (
        "finalize",
        "No rank of the job of 2 goes on, and they are not in one operation: rank 0 is in \
         MPI_Finalize at finalize.c:20 in main; rank 1 is in MPI_Barrier at finalize.c:17 in main. \
         Rank 0 has come to its end: it brings the others nothing any more.",
        &[],
    ),
    (
        "residual",
        "No rank of the job of 2 goes on, and they are not in one operation: rank 0 is in \
         MPI_Allreduce at residual.c:26 in main; rank 1 is in MPI_Finalize at residual.c:29 in \
         main. Rank 1 has come to its end: it brings the others nothing any more.",
        &[],
    ),
    (
        "window_left",
        "No rank of the job of 2 goes on, and they are not in one operation: rank 0 is in \
         MPI_Win_lock at window_left.c:8 in take; rank 1 is in MPI_Barrier at window_left.c:33 in \
         main. Rank 0 waits for the lock of a window, which the rank that has it gives back by \
         MPI_Win_unlock: rank 1 does not wait for it, so it is the one that may have it.",
        &["take has a way out at window_left.c:12 on which it does not give back what it takes \
             at window_left.c:8."],
    ),
    (
        "file_lock_kept",
        "Rank 1 and rank 0 wait for each other: ",
        &[
            ", its lock held by rank 0 (process ",
            " at file_lock_kept.c:11 in set. Rank 0 is in MPI_Barrier at file_lock_kept.c:17 in \
             append.",
        ],
    ),
    (
        "child_of_a_rank",
        "No rank of the job of 2 goes on, and they are not in one operation: rank 0 is in MPI_Recv \
         at child_of_a_rank.c:31 in main (tag 7, from rank 1 of its communicator); rank 1 is in \
         MPI_Barrier at child_of_a_rank.c:33 in main.",
        &[],
    ),
    (
        "rank_asleep",
        "The job waits for rank 1: thread 0 sleeps in the system call clock_nanosleep at \
         rank_asleep.c:16 in main",
        &["It goes on by itself when its time is over. The others wait for that: rank 0 is in \
             MPI_Recv at rank_asleep.c:15 in main"],
    ),
    (
        "other_root",
        "No rank of the job of 2 goes on: rank 0 is in MPI_Bcast at other_root.c:26 in main (root \
         1 of its communicator); rank 1 is in MPI_Bcast at other_root.c:26 in main (root 0 of its \
         communicator). They name different roots: the ranks of a communicator have to name the \
         same one.",
        &["not all processes that take part have come to it with the same root"],
    ),
    (
        "tag_of_a_structure",
        "No rank of the job of 2 goes on: rank 0 is in MPI_Recv at tag_of_a_structure.c:16 in \
         exchange (tag 103, from rank 1 of its communicator); rank 1 is in \
         MPI_Recv at tag_of_a_structure.c:16 in exchange (tag 104, from rank 0 of its \
         communicator).",
        &[],
    ),
];

/// Tests that the answer of `why --all` says where the ranks are and what keeps them there.
fn one_verdict_for_all(
    mpi: Mpi,
    source: &str,
    (wanted, more): (&str, &[&str]),
    compiler: Compiler,
) -> Result<(), String> {
    let (_job, ranks) = start(mpi, source, compiler)?;
    let begun = Instant::now();
    loop {
        let text = ask_all("0.1", None)?;
        if text.contains(wanted) && more.iter().all(|words| text.contains(words)) {
            // A rank's number means its job alone, so that the answer begins with the sentence.
            let of_job = ask_all("0.1", ranks.first().copied())?;
            return match of_job.starts_with(wanted) {
                true => Ok(()),
                false => Err(format!("not first of the job of a rank: {wanted}\n{of_job}")),
            };
        }
        if begun.elapsed() > LIMIT {
            return Err(format!("no such verdict: {wanted}\n{text}"));
        }
    }
}

/// Returns the answer about all processes, or about the job of this one.
fn ask_all(apart: &str, process: Option<u32>) -> Result<String, String> {
    let mut inspect = Command::new(paths::omphalos());
    inspect.args(["why", "--all", "--apart", apart]);
    inspect.args(process.map(|process| process.to_string()));
    let output = inspect.output().map_err(|e| e.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).replace("PMPI_", "MPI_"))
}

/// Tests that no answer says of ranks that wait for each other by turns that none goes on.
fn ranks_in_turns_go_on(mpi: Mpi, compiler: Compiler) -> Result<(), String> {
    let (_job, ranks) = start(mpi, "ranks_take_turns.c", compiler)?;
    for look in 0..8 {
        let text = ask_all("0.05", ranks.first().copied())?;
        if !text.starts_with("The job of 2 ranks goes on") {
            return Err(format!("look {look} does not say that the job goes on:\n{text}"));
        }
    }
    Ok(())
}

/// Tests `mpirun -n 2 omphalos run --hang`: each rank's own `omphalos` says why it hangs.
fn every_rank_says_why(mpi: Mpi, compiler: Compiler) -> Result<(), String> {
    let session = session();
    let mut command = mpi.run(&session);
    command.arg(paths::omphalos()).args(["run", "--hang", "0.5"]);
    command.arg(program(mpi, "receive.c", compiler)?).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|e| format!("{command:?}: {e}"))?;
    let mut job = Job { child, session };
    let out = job.child.stderr.take().ok_or("no output")?;
    let (mut seen, mut all) = ([false; 2], String::new());
    let mut rank = None;
    for line in BufReader::new(out).lines() {
        let line = line.map_err(|e| e.to_string())?;
        for (number, seen) in seen.iter_mut().enumerate() {
            if line.contains(&format!(", rank {number} of 2 on Omphalos")) {
                rank = Some(number);
            }
            *seen |= rank == Some(number) && line.contains("is in MPI_Recv at receive.c:");
        }
        all.push_str(&line);
        all.push('\n');
        if seen == [true; 2] {
            return Ok(());
        }
    }
    Err(format!("not every rank said why: {all}"))
}
