//! A job that runs while a test looks at it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use omphalos_tests::paths;

use super::mpi::Mpi;

/// The time in which the job must end.
const PATIENCE: Duration = Duration::from_secs(10);

/// A job that ends with its test.
pub struct Job {
    pub child: Child,
    /// The ranks' output. MPICH's launcher ends its job if no reader is left for it.
    out: BufReader<ChildStdout>,
    session: PathBuf,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.end_by(libc::SIGTERM);
        let _ = std::fs::remove_dir_all(&self.session);
    }
}

impl Job {
    /// Starts so many ranks of a program, each under `omphalos` with these words, and waits until
    /// each has said that it is ready.
    pub fn start(
        mpi: Mpi,
        (program, ranks): (&str, u32),
        folder: &Path,
        words: &[&str],
    ) -> Result<Job, String> {
        let binary = mpi.compile(program, folder)?;
        let title = format!("jobs session running {} {program} {}", mpi.name(), words[0]);
        let session = paths::scratch(&title);
        let mut command = mpi.run(ranks, &session);
        command.arg(paths::omphalos()).args(words).arg("--").arg(binary);
        command.current_dir(folder).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
        let out = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut job = Job { child, out, session };
        // MPICH writes the words of several ranks as they come, and the ends of lines after them.
        let mut ready = 0;
        for line in job.out.by_ref().lines().map_while(Result::ok) {
            ready += line.matches("ready").count();
            if ready >= ranks as usize {
                return Ok(job);
            }
        }
        Err("the job ended before it was ready".to_owned())
    }

    /// Sends the launcher a signal, and waits until the job has ended.
    pub fn end_by(&mut self, signal: i32) {
        if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
            return;
        }
        // SAFETY: a signal to a process that this program has started and not yet waited for.
        unsafe { libc::kill(self.child.id().cast_signed(), signal) };
        let asked = Instant::now();
        while self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            if asked.elapsed() > PATIENCE {
                let _ = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
