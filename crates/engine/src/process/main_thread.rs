//! The process's main thread, recognised without a system call: it loads the library in most
//! programs, and is the first thread to come.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use omphalos_sys::thread::{alone, own};

/// Its `pthread_t`, 0 = not known. No other thread has the same while the process lives: what the
/// main thread leaves behind when it ends is not given to anybody.
static SELF: AtomicUsize = AtomicUsize::new(0);

/// Remembers the calling thread, if it is known to be the one.
pub fn note() {
    if alone() {
        SELF.store(own(), Relaxed);
    }
}

/// Whether the calling thread is known to be the main thread.
pub fn is_calling() -> bool {
    SELF.load(Relaxed) == own()
}

/// In a forked child the main thread is another one.
pub fn forget() {
    SELF.store(0, Relaxed);
}
