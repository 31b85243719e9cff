//! Sleeping and waking on a word (futex(2)), private to the process.

use crate::errno;
use core::sync::atomic::AtomicU32;
use core::time::Duration;

/// Sleeps while `word` holds `expected`. Returns on a wake, a signal, the timeout, or at once if
/// the word holds something else: the caller checks its condition again. Keeps errno.
pub fn wait(word: &AtomicU32, expected: u32, timeout: Option<Duration>) {
    let time = timeout.map(|t| libc::timespec {
        tv_sec: t.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(t.subsec_nanos()),
    });
    let time = time.as_ref().map_or(core::ptr::null(), core::ptr::from_ref);
    errno::keep(|| {
        // SAFETY: the word outlives the call; the kernel only reads it and the time.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                word.as_ptr(),
                libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
                expected,
                time,
            );
        }
    });
}

/// Wakes up to `count` threads that sleep on `word`. Async-signal-safe. Keeps errno.
pub fn wake(word: &AtomicU32, count: u32) {
    errno::keep(|| {
        // SAFETY: the kernel only looks the address up.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                word.as_ptr(),
                libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
                count.min(i32::MAX as u32),
            );
        }
    });
}
