//! Recognises the process's main thread without a system call. In most programs the main thread
//! loads the library, and is the first thread to meet OpenMP.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use omphalos_sys::thread::{alone, own_pthread};

/// The main thread's `pthread_t`; 0 = not known. The C library gives no other thread the same value
/// while the process lives.
static SELF: AtomicUsize = AtomicUsize::new(0);

/// Remembers the calling thread, if it is known to be the main thread.
pub fn note() {
    if alone() {
        SELF.store(own_pthread(), Relaxed);
    }
}

/// Whether the calling thread is known to be the main thread.
pub fn is_calling() -> bool {
    SELF.load(Relaxed) == own_pthread()
}

/// Returns the main thread's `pthread_t`, 0 if it is not known.
pub fn number() -> usize {
    SELF.load(Relaxed)
}

/// Forgets the main thread: a forked child may have another one.
pub fn forget() {
    SELF.store(0, Relaxed);
}
