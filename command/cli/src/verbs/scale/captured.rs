//! Keeps the output of `omphalos scale`'s runs for comparison: each run's standard output goes to a
//! file of its own. If standard input is a file, each run reads it from the same place on.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::os::fd::AsRawFd;

use omphalos_scale::{Difference, compare};

use crate::failure::Failure;
use crate::inherited;

/// Standard input, in the state for the first run.
pub struct Input {
    /// The place where it began; none if it cannot be read again.
    begin: Option<i64>,
}

impl Input {
    /// Notes its present state.
    pub fn begin() -> Input {
        // SAFETY: asks about a number, whatever it stands for.
        let at = unsafe { libc::lseek(libc::STDIN_FILENO, 0, libc::SEEK_CUR) };
        Input { begin: Some(at).filter(|at| *at >= 0) }
    }

    /// Goes back to where it began.
    pub fn rewind(&self) {
        if let Some(begin) = self.begin {
            // SAFETY: as above.
            unsafe { libc::lseek(libc::STDIN_FILENO, begin, libc::SEEK_SET) };
        }
    }
}

/// The output of one run.
pub struct Output(Option<File>);

impl Output {
    /// Runs a program by `run`, and keeps its output.
    pub fn of<R>(run: impl FnOnce() -> Result<R, Failure>) -> Result<(Output, R), Failure> {
        if inherited::is_output_closed() {
            return Ok((Output(None), run()?));
        }
        let cannot =
            |error: io::Error| Failure::ours(format!("cannot keep what it prints: {error}"));
        let file = tempfile::tempfile().map_err(cannot)?;
        // SAFETY: the new number is ours, and no program that is started has it.
        let own = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3) };
        if own < 0 {
            return Err(cannot(io::Error::last_os_error()));
        }
        // SAFETY: both are descriptors of this process, which has one thread.
        let is_redirected = unsafe { libc::dup2(file.as_raw_fd(), libc::STDOUT_FILENO) } >= 0;
        let ran = if is_redirected { run() } else { Err(cannot(io::Error::last_os_error())) };
        // SAFETY: as above; `own` is closed once.
        unsafe {
            libc::dup2(own, libc::STDOUT_FILENO);
            libc::close(own);
        }
        Ok((Output(Some(file)), ran?))
    }

    /// Returns how the output of a run with `threads` threads differs from this one.
    pub fn against(&self, threads: u32, other: &Output) -> Result<Option<Difference>, Failure> {
        let (Some(first), Some(other)) = (&self.0, &other.0) else { return Ok(None) };
        let read = |mut file: &File| file.seek(SeekFrom::Start(0)).map(|_| ());
        let compared = read(first)
            .and_then(|()| read(other))
            .and_then(|()| compare(threads, BufReader::new(first), BufReader::new(other)));
        compared.map_err(|error| Failure::ours(format!("cannot read what it printed: {error}")))
    }
}
