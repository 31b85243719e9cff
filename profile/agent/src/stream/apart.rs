//! One thread's own table of descriptors: the watcher's.
//!
//! What must hold: no file of the program's stays open in it. Numbers of the other threads mean
//! nothing there, 0 to 2 neither.

use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// The record file's number there.
pub(super) static FILE: AtomicI32 = AtomicI32::new(-1);
/// The kernel's number of the thread; 0 while there is none.
static THREAD: AtomicI32 = AtomicI32::new(0);

/// For the thread that it is to be; it keeps `file`. Nothing happens where the system refuses.
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
    // Messages and files keep apart: who writes to 2 means the program's.
    for _ in 0..3 {
        // SAFETY: a C string.
        unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC) };
    }
    FILE.store(file, Relaxed);
    THREAD.store(omphalos_sys::thread::id(), Relaxed);
}

/// Whether the calling thread is that one. Async-signal-safe.
pub(super) fn is_here() -> bool {
    let thread = THREAD.load(Relaxed);
    thread != 0 && thread == omphalos_sys::thread::id()
}

/// In a forked child there is none.
pub(super) fn reset_in_child() {
    THREAD.store(0, Relaxed);
}
