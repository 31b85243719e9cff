//! Keeps the program's output in a file while its terminal shows `omphalos top`'s pictures, and
//! passes it on when the screen is free again.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

use crate::failure::Failure;
use crate::terminal::Stream;

/// The kept output; see the module.
pub struct Kept {
    file: File,
    /// The number of bytes that have been passed on.
    passed: u64,
}

impl Kept {
    /// Makes an empty file, which goes with the process.
    pub fn new() -> Result<Kept, Failure> {
        let file = tempfile::tempfile();
        let failed = |error| Failure::ours(format!("no file for the program's output: {error}"));
        Ok(Kept { file: file.map_err(failed)?, passed: 0 })
    }

    /// Returns the file for the program's output.
    pub fn output(&self) -> Result<Output, Failure> {
        let failed = |error| Failure::ours(format!("no file for the program's output: {error}"));
        self.file.try_clone().map(Output).map_err(failed)
    }

    /// Writes the output since the last call to standard output. If that is gone, the rest is lost
    /// silently.
    pub fn pass_on(&mut self) {
        let mut bytes = [0; 1 << 16];
        // The program shares the file's position, and writes there: this reads without moving it.
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
    /// Called in the program's process, before it begins: the terminal's keys stay ours, and the
    /// output goes to the file.
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
