//! What an internal error of the runtime prints before it ends the process.
//!
//! The link step puts these two functions in place of the standard library's
//! (`xtask/src/link/panics.rs`), which can print a backtrace with symbols. Those are a sixth of the
//! library's code, and a third of what the dynamic linker has to relocate at each start of a
//! program; a core file shows the same.
//!
//! What must hold: nothing here panics or allocates, and an error is said once.

use crate::line::Line;
use core::fmt::Write;
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
            "omphalos: an error in the runtime itself ends the program: {} ({file}:{line}). \
             Please report \
             it, with the stack that a debugger shows of the core file.",
            info.message()
        );
        stderr::raw(text.bytes());
    }
    std::process::abort()
}

/// In the place of `__rust_alloc_error_handler`: for an allocation that [`crate::memory`] did not
/// refuse.
#[unsafe(no_mangle)]
fn omphalos_out_of_memory(size: usize, _align: usize) -> ! {
    crate::memory::refused(size)
}
