//! `errno` belongs to the program: system calls of the runtime must not change it.

/// Runs `call` and puts errno back. Async-signal-safe if `call` is.
#[inline]
pub fn keep<R>(call: impl FnOnce() -> R) -> R {
    // SAFETY: errno is the calling thread's own.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let saved = unsafe { *errno };
    let result = call();
    // SAFETY: as above.
    unsafe { *errno = saved };
    result
}
