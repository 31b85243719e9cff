//! A job of MPI that hangs: each of its processes is looked at, and the function of MPI, its line
//! and the rank named.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;
use omphalos_tests::runtime::Runtime;

use super::{LIMIT, ask, expected, findings, is_right};

/// A job that ends with its test: who started its processes ends them, if asked and not killed.
struct Job(Child);

impl Drop for Job {
    fn drop(&mut self) {
        // SAFETY: a signal to a process that this program has started.
        unsafe { libc::kill(self.0.id() as libc::pid_t, libc::SIGTERM) };
        let asked = Instant::now();
        while self.0.try_wait().is_ok_and(|ended| ended.is_none()) {
            if asked.elapsed() > PATIENCE {
                let _ = self.0.kill();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// How long a job may take to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Two processes on this machine, also for root, in a container, and without ssh.
fn mpirun() -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "-n", "2"]).stdin(Stdio::null());
    for (name, value) in [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("OMPI_MCA_plm", "isolated"),
        ("OMPI_MCA_btl", "self,vader"),
        ("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
        ("OMP_WAIT_POLICY", "passive"),
        // Another job of this user's has a folder of its own.
        ("OMPI_MCA_orte_tmpdir_base", &paths::scratch("mpi").to_string_lossy()),
    ] {
        command.env(name, value);
    }
    command
}

fn source() -> PathBuf {
    paths::tests().join("hangs/mpi/receive.c")
}

fn program(compiler: Compiler) -> Result<PathBuf, String> {
    let words = |which: &str| {
        let output = Command::new("mpicc").arg(format!("--showme:{which}")).output();
        let output = output.map_err(|e| format!("mpicc (Debian's libopenmpi-dev): {e}"))?;
        Ok::<_, String>(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (compile, link) = (words("compile")?, words("link")?);
    let flags: Vec<&str> = compile.split_whitespace().chain(link.split_whitespace()).collect();
    compiler.compile(&source(), &flags)
}

/// `--why` of each process, and `--all`, which finds them by itself.
pub fn every_rank_is_named(compiler: Compiler) -> Result<(), String> {
    let expected = expected(&source())?;
    let mut command = mpirun();
    Runtime::Omphalos.apply(&mut command);
    command.arg(program(compiler)?).stdout(Stdio::piped());
    let child = command.spawn().map_err(|e| format!("mpirun: {e}"))?;
    let mut job = Job(child);
    let out = job.0.stdout.take().ok_or("no output")?;
    let mut ranks = Vec::new();
    let mut ready = 0;
    for line in BufReader::new(out).lines() {
        let line = line.map_err(|e| e.to_string())?;
        ranks.extend(line.strip_prefix("child ").and_then(|pid| pid.parse::<u32>().ok()));
        ready += usize::from(line == "ready");
        if (ranks.len(), ready) == (2, 2) {
            break;
        }
    }
    if ranks.len() != 2 {
        return Err("the job ended before it was ready".into());
    }
    let begun = Instant::now();
    for pid in &ranks {
        loop {
            let (seen, text) = ask(*pid)?;
            if is_right(findings(&seen), &expected, "receive.c") && text.contains("is in MPI_Recv")
            {
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

/// `mpirun -n 2 omphalos run --hang`: each rank says by itself why it hangs.
pub fn every_rank_says_why(compiler: Compiler) -> Result<(), String> {
    let mut command = mpirun();
    command.arg(paths::omphalos()).args(["run", "--hang", "0.5"]).arg(program(compiler)?);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|e| format!("mpirun: {e}"))?;
    let mut job = Job(child);
    let out = job.0.stderr.take().ok_or("no output")?;
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
