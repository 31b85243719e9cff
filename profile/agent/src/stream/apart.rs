//! A table of descriptors for one thread alone: the watcher.
//!
//! What must hold: no file of the program stays open in it. The other threads' numbers mean nothing
//! there, 0 to 2 included.

use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// The record file's number in this table.
pub(super) static FILE: AtomicI32 = AtomicI32::new(-1);
/// The kernel's number of the thread; 0 while there is none.
static THREAD: AtomicI32 = AtomicI32::new(0);

/// Makes the table for the calling thread, with `file` in it. Does nothing if the system refuses.
pub(super) fn begin(file: i32) {
    const UNSHARE: u32 = 2;
    let close = |first: u32, last: u32, flags: u32| {
        // SAFETY: a table of this thread's own, from the first call on.
        unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) }
    };
    let Ok(kept) = u32::try_from(file) else { return };
    if kept < 3 || close(0, kept - 1, UNSHARE) != 0 {
        return;
    }
    close(kept + 1, u32::MAX, 0);
    // No file may get these numbers: a write to 2 is meant for the program's standard error.
    for _ in 0..3 {
        // SAFETY: a C string.
        unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC) };
    }
    FILE.store(file, Relaxed);
    THREAD.store(omphalos_sys::thread::id(), Relaxed);
}

/// Whether the calling thread is the one with such a table. Async-signal-safe.
pub(super) fn is_here() -> bool {
    let thread = THREAD.load(Relaxed);
    thread != 0 && thread == omphalos_sys::thread::id()
}

/// Resets the state in a forked child, which has no such thread.
pub(super) fn reset_in_child() {
    THREAD.store(0, Relaxed);
}
