//! The process's main thread, recognised without a system call: it loads the library in most programs, and
//! is the first thread to come.

use core::sync::atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed};
use omphalos_sys::thread::own;

/// Its `pthread_t`, 0 = not known. No other thread has the same while the process lives: what the main
/// thread leaves behind when it ends is not given to anybody.
static SELF: AtomicUsize = AtomicUsize::new(0);
/// The kernel's number for it.
static ID: AtomicI32 = AtomicI32::new(0);

/// Remembers the calling thread, if it is the one.
pub fn note() {
    let id = omphalos_sys::thread::id();
    // SAFETY: no memory involved.
    if id == unsafe { libc::getpid() } {
        ID.store(id, Relaxed);
        SELF.store(own(), Relaxed);
    }
}

/// The kernel's number for the calling thread, if it is known to be the main thread.
pub fn id() -> Option<i32> {
    (SELF.load(Relaxed) == own()).then(|| ID.load(Relaxed))
}

/// In a forked child the main thread is another one, with another number.
pub fn forget() {
    SELF.store(0, Relaxed);
}
