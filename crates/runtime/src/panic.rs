//! What is said of an error of the runtime's own, before it ends the process.
//!
//! The link step puts these two functions in the place of the standard library's (`xtask/src/link/panics.rs`),
//! which print a backtrace with symbols if they are asked to. That is a sixth of the library's code and
//! a third of what the dynamic linker has to relocate at each start of a program, for what a core file shows
//! as well.
//!
//! What must hold: nothing here panics or allocates, and an error is said once.

use core::fmt::{self, Write};
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_sys::stderr;

/// In the place of `rust_begin_unwind`, where every panic ends.
#[unsafe(no_mangle)]
fn omphalos_panicked(info: &PanicInfo<'_>) -> ! {
    static SAID: AtomicBool = AtomicBool::new(false);
    // A panic while one is said has nothing to add.
    if !SAID.swap(true, Ordering::Relaxed) {
        let (file, line) = info.location().map_or(("", 0), |at| (at.file(), at.line()));
        let mut text = Line::new();
        let _ = writeln!(
            text,
            "omphalos: an error in the runtime itself ends the program: {} ({file}:{line}). Please report \
             it, with the stack that a debugger shows of the core file.",
            info.message()
        );
        stderr::raw(text.bytes());
    }
    std::process::abort()
}

/// In the place of `__rust_alloc_error_handler`: for an allocation that [`crate::memory`] did not refuse.
#[unsafe(no_mangle)]
fn omphalos_out_of_memory(size: usize, _align: usize) -> ! {
    crate::memory::refused(size)
}

/// A text of limited length; what is too much is left out.
struct Line {
    bytes: [u8; 1024],
    length: usize,
}

impl Line {
    const fn new() -> Line {
        Line { bytes: [0; 1024], length: 0 }
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.iter_mut().skip(self.length);
        for (to, &from) in room.zip(text.as_bytes()) {
            *to = from;
            self.length += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut() {
        let mut line = Line::new();
        for _ in 0..200 {
            write!(line, "{:08}", 1).unwrap();
        }
        assert_eq!(line.bytes().len(), 1024);
        assert!(line.bytes().ends_with(b"00000001"));
    }
}
