//! The message of an internal error of the runtime, printed before the process ends.
//!
//! The link step puts these functions in place of the standard library's
//! (`xtask/src/link/panics.rs`), which can print a backtrace with symbols. The code for that would
//! be a sixth of the library's, and a third of the dynamic linker's relocations at each start of a
//! program; a core file shows the same.
//!
//! What must hold: nothing here panics or allocates, and an error is said once.

use crate::line::Line;
use core::ffi::c_int;
use core::fmt::Write;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_sys::stderr;

/// In the place of `rust_begin_unwind`, where every panic ends.
#[unsafe(no_mangle)]
fn omphalos_panicked(info: &PanicInfo<'_>) -> ! {
    static SAID: AtomicBool = AtomicBool::new(false);
    // A panic after the first one adds nothing.
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

/// `_URC_CONTINUE_UNWIND` of the Itanium C++ ABI: nothing to do in this frame.
const GO_ON: c_int = 8;

/// In the place of `rust_eh_personality`, which an unwinder asks about each frame of the standard
/// library that an exception of the program's own passes through.
#[unsafe(no_mangle)]
extern "C" fn omphalos_passed_by() -> c_int {
    GO_ON
}

/// In the place of `_Unwind_Resume`, the end of a frame's clean-up. [`omphalos_passed_by`] begins
/// none.
#[unsafe(no_mangle)]
extern "C" fn omphalos_never_resumed() -> ! {
    std::process::abort()
}
