//! Messages to standard error: one line, one write, no buffering, no panic when it is closed.

use core::sync::atomic::{AtomicBool, Ordering};
use std::fmt::Arguments;

/// Whether messages are held back now.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Holds messages back, or lets them out again.
pub fn quiet(on: bool) {
    QUIET.store(on, Ordering::Relaxed);
}

/// Writes `omphalos: <message>` and a newline to standard error.
pub fn message(text: Arguments<'_>) {
    if QUIET.load(Ordering::Relaxed) {
        return;
    }
    let line = format!("omphalos: {text}\n");
    raw(line.as_bytes());
}

/// As [`message`], about a setting that cannot be used. A program of LLVM's or Intel's compilers
/// gets the line with the beginning of its own runtime's warnings, because logs are searched for
/// that. So does every program if the line is about a variable of theirs.
pub fn warning(text: Arguments<'_>) {
    if !QUIET.load(Ordering::Relaxed) {
        let text = text.to_string();
        let llvm = text.starts_with("KMP_") || crate::needed::llvm();
        let beginning = if llvm { "OMP: Warning #42: " } else { "" };
        raw(format!("{beginning}omphalos: {text}\n").as_bytes());
    }
}

/// Writes one of the lines that LLVM's and Intel's runtime writes when it is asked to, with the
/// number that the line has there.
pub fn info(number: u32, text: Arguments<'_>) {
    if !QUIET.load(Ordering::Relaxed) {
        raw(format!("OMP: Info #{number}: {text}\n").as_bytes());
    }
}

/// Writes bytes to standard error, as far as it takes them. They should be whole lines, since each
/// call is one write, and another thread's may come between two.
pub fn raw(mut bytes: &[u8]) {
    crate::errno::keep(|| {
        while !bytes.is_empty() {
            // SAFETY: the slice is valid for reads of its length.
            let done = unsafe { libc::write(2, bytes.as_ptr().cast(), bytes.len()) };
            let again = std::io::ErrorKind::Interrupted;
            match usize::try_from(done) {
                Ok(0) => return,
                Ok(done) => bytes = &bytes[done..],
                Err(_) if std::io::Error::last_os_error().kind() == again => {}
                Err(_) => return,
            }
        }
    });
}

/// `message!("...", ..)`: see [`message`].
#[macro_export]
macro_rules! message {
    ($($arg:tt)*) => { $crate::stderr::message(::core::format_args!($($arg)*)) };
}

/// `warning!("...", ..)`: see [`warning`].
#[macro_export]
macro_rules! warning {
    ($($arg:tt)*) => { $crate::stderr::warning(::core::format_args!($($arg)*)) };
}
