//! The items that a port to another processor has to write. Each file stands for the one of the
//! same name in `x86_64`.
//!
//! With it the rest of the workspace type-checks for that processor (`cargo xtask check`). It does
//! not run: entry stubs and calls into user code end the process.

mod atomics;
pub mod debugger;
pub mod fp_control;
pub mod invoke;
mod statics;
mod stubs;
pub mod texts;
pub mod tls;
pub mod variadic;
pub mod watch;
pub mod x87;

// Arithmetic of the compiler's support library, which has it for every processor.
#[path = "../x86_64/quad.rs"]
pub mod quad;

/// Ends the process: the port has yet to write this.
#[cold]
pub fn missing() -> ! {
    crate::message!("this processor is not supported");
    crate::process::abort()
}

/// Returns nanoseconds in place of the time-stamp counter's cycles.
pub fn ticks() -> u64 {
    crate::clock::nanoseconds()
}

/// Returns nanoseconds, as [`ticks`] does.
pub fn ticks_behind_reads() -> u64 {
    ticks()
}

/// Keeps a function that does nothing, for a debugger to stop at, from being left out.
#[inline(always)]
pub fn keep() {
    core::hint::black_box(());
}

/// Would fetch the cache line of `address` for writing.
#[inline(always)]
pub fn will_write<T>(_address: *const T) {}

/// Would fetch the cache line of `address` for reading.
#[inline(always)]
pub fn will_read<T>(_address: *const T) {}
