//! What a program writes while its terminal shows pictures: kept in a file, and passed on when the
//! screen is free again.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

use crate::failure::Failure;
use crate::terminal::Stream;

/// See the module.
pub struct Kept {
    file: File,
    /// So many bytes have been passed on.
    passed: u64,
}

impl Kept {
    /// With an empty file, which goes with the process.
    pub fn new() -> Result<Kept, Failure> {
        let file = tempfile::tempfile();
        let failed = |error| Failure::ours(format!("no file for the program's output: {error}"));
        Ok(Kept { file: file.map_err(failed)?, passed: 0 })
    }

    /// Where the program is to write.
    pub fn output(&self) -> Result<Output, Failure> {
        let failed = |error| Failure::ours(format!("no file for the program's output: {error}"));
        self.file.try_clone().map(Output).map_err(failed)
    }

    /// Writes what has come since to standard output. If that is gone, the rest is lost silently.
    pub fn pass_on(&mut self) {
        let mut bytes = [0; 1 << 16];
        // The place in the file where the program writes is its own: this reads by number.
        while let Ok(got @ 1..) = self.file.read_at(&mut bytes, self.passed) {
            let mut out = std::io::stdout().lock();
            if out.write_all(&bytes[..got]).and_then(|()| out.flush()).is_err() {
                return;
            }
            self.passed += got as u64;
        }
    }
}

/// The file, for the program.
pub struct Output(File);

impl Output {
    /// In the program's process, before it begins: the terminal's keys are ours, what it writes
    /// goes to the file.
    pub fn divert(&self) {
        let is_shown = Stream::Error.is_terminal();
        let onto = |from: &File, to: i32| {
            // SAFETY: two descriptors; nobody else in this process uses them.
            unsafe { libc::dup2(from.as_raw_fd(), to) };
        };
        if let Ok(nothing) = File::open("/dev/null") {
            onto(&nothing, libc::STDIN_FILENO);
        }
        onto(&self.0, libc::STDOUT_FILENO);
        if is_shown {
            onto(&self.0, libc::STDERR_FILENO);
        }
    }
}
