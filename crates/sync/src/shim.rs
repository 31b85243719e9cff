//! The one place that knows whether loom is watching.

#[cfg(not(loom))]
pub use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

/// Sleeps while the word holds `expected`; may return early.
pub fn futex_wait(word: &AtomicU32, expected: u32) {
    #[cfg(not(loom))]
    omphalos_sys::futex::wait(word, expected, None);
    #[cfg(loom)]
    while word.load(Ordering::SeqCst) == expected {
        loom::thread::yield_now();
    }
}

/// Wakes sleepers on the word.
pub fn futex_wake(word: &AtomicU32, count: u32) {
    #[cfg(not(loom))]
    omphalos_sys::futex::wake(word, count);
    #[cfg(loom)]
    let _ = (word, count);
}
