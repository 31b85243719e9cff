//! Writes the description of the search for tools, if `OMP_TOOL_VERBOSE_INIT` asks for it.
//!
//! Each piece is written at once: if a tool crashes in its initializer, the line that names it must
//! have been written. Standard output goes through the C library's stream, in order with a tool's
//! own output. The wording is LLVM's: scripts search for it.

use crate::settings::Verbose;
use omphalos_sys::{message, stderr, stdout};
use std::fmt::Arguments;
use std::fs::File;
use std::io::Write;

/// The destination of the lines.
pub struct Log(Sink);

enum Sink {
    Nowhere,
    Stdout,
    Stderr,
    File(File),
}

impl Log {
    /// Opens the destination that the setting names. If a file cannot be made, says so and logs
    /// nothing.
    pub fn open(setting: &Verbose) -> Log {
        Log(match setting {
            Verbose::Disabled => Sink::Nowhere,
            Verbose::Stdout => Sink::Stdout,
            Verbose::Stderr => Sink::Stderr,
            Verbose::File(path) => match File::create(path) {
                Ok(file) => Sink::File(file),
                Err(error) => {
                    message!(
                        "OMP_TOOL_VERBOSE_INIT=\"{}\": cannot write this file ({error}); the \
                         search \
                         for tools is not described. Use disabled, stdout, stderr or a file name.",
                        path.display()
                    );
                    Sink::Nowhere
                }
            },
        })
    }

    /// Writes a whole line.
    pub fn line(&mut self, text: Arguments<'_>) {
        self.part(format_args!("{text}\n"));
    }

    /// Writes a part of a line.
    pub fn part(&mut self, text: Arguments<'_>) {
        if matches!(self.0, Sink::Nowhere) {
            return;
        }
        let text = text.to_string();
        match &mut self.0 {
            Sink::Nowhere => {}
            Sink::Stderr => stderr::raw(text.as_bytes()),
            Sink::Stdout => stdout::write(text.as_bytes()),
            // Only a full disk can fail here, and the program goes on.
            Sink::File(file) => drop(file.write_all(text.as_bytes())),
        }
    }
}
