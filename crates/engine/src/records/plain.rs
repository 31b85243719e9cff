//! Whether locks are given back by plain stores: the same for every record (`mutex/plain.rs`).

use core::sync::atomic::{AtomicBool, Ordering};

static PLAINLY: AtomicBool = AtomicBool::new(false);

/// Whether all threads can be made to pass a barrier.
pub(crate) fn plainly() -> bool {
    PLAINLY.load(Ordering::Relaxed)
}

/// For the library's constructor, before the first record.
pub(crate) fn decide(plainly: bool) {
    PLAINLY.store(plainly, Ordering::Relaxed);
}
