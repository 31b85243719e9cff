//! The description of the search for tools that `OMP_TOOL_VERBOSE_INIT` asks for.
//!
//! Each line goes out at once: a tool that crashes in its initializer must not take the lines that
//! name it along.

use crate::settings::Verbose;
use omphalos_sys::{message, stderr};
use std::fmt::Arguments;
use std::fs::File;
use std::io::Write;

/// Where the lines go.
pub struct Log(Sink);

enum Sink {
    Nowhere,
    Stdout,
    Stderr,
    File(File),
}

impl Log {
    /// Opens what the setting names; a file that cannot be made is reported and nothing is logged.
    pub fn open(setting: &Verbose) -> Log {
        Log(match setting {
            Verbose::Disabled => Sink::Nowhere,
            Verbose::Stdout => Sink::Stdout,
            Verbose::Stderr => Sink::Stderr,
            Verbose::File(path) => match File::create(path) {
                Ok(file) => Sink::File(file),
                Err(error) => {
                    message!(
                        "OMP_TOOL_VERBOSE_INIT=\"{}\": cannot write this file ({error}); the search \
                         for tools is not described. Use disabled, stdout, stderr or a file name.",
                        path.display()
                    );
                    Sink::Nowhere
                }
            },
        })
    }

    /// One line.
    pub fn line(&mut self, text: Arguments<'_>) {
        if matches!(self.0, Sink::Nowhere) {
            return;
        }
        let line = format!("omphalos: tool: {text}\n");
        match &mut self.0 {
            Sink::Nowhere => {}
            Sink::Stderr => stderr::raw(line.as_bytes()),
            // Not through the program's buffers: these may not be set up, and order does not matter.
            Sink::Stdout => {
                // SAFETY: the string is valid for reads of its length.
                unsafe { libc::write(1, line.as_ptr().cast(), line.len()) };
            }
            // Only a full disk can fail here, and the program has more important things to do.
            Sink::File(file) => drop(file.write_all(line.as_bytes())),
        }
    }
}
