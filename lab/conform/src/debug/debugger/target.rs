//! The program under test, and the two pipes between its tool and the debugger.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use super::Order;
use crate::debug::record::Record;
use crate::debug::settings::ENVIRONMENT;
use crate::run::clean;

/// The number of times that the tool stops at each kind of callback.
const STOPS: u32 = 2;

/// A running program. Dropping it ends the program.
pub struct Program {
    child: Child,
    said: BufReader<PipeReader>,
    go: PipeWriter,
}

impl Program {
    /// Starts it with the tool.
    pub fn start(order: &Order) -> Result<Program, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", order.program.display());
        let (said, says) = pipe().map_err(failed)?;
        let (waits, go) = pipe().map_err(failed)?;
        let mut command = Command::new(&order.program);
        clean(&mut command);
        let (out, at) = (says.as_raw_fd(), waits.as_raw_fd());
        command
            .env("LD_LIBRARY_PATH", &order.folder)
            .env("OMP_TOOL_LIBRARIES", &order.tool)
            .env("OMPHALOS_WITNESS", format!("{out} {at} {} {STOPS}", order.seed))
            .envs(ENVIRONMENT.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // SAFETY: only calls that are safe between fork and exec.
        unsafe {
            command.pre_exec(move || {
                // The program keeps its ends of the pipes, and ends with this process.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                libc::fcntl(out, libc::F_SETFD, 0);
                libc::fcntl(at, libc::F_SETFD, 0);
                Ok(())
            });
        }
        let child = command.spawn().map_err(failed)?;
        Ok(Program { child, said: BufReader::new(said), go })
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until a thread is in a callback; `None` when the program has ended.
    pub fn stop(&mut self) -> Result<Option<Record>, String> {
        let mut lines = Vec::new();
        loop {
            let mut bytes = Vec::new();
            let read = self.said.read_until(b'\n', &mut bytes);
            let count = read.map_err(|error| error.to_string())?;
            match String::from_utf8_lossy(&bytes).trim_end_matches('\n') {
                _ if count == 0 => return Ok(None),
                "." => return Ok(Some(Record::parse(&lines))),
                line => lines.push(line.to_owned()),
            }
        }
    }

    /// Lets the thread go on after a stop.
    pub fn go(&mut self) {
        let _ = self.go.write_all(b".");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
