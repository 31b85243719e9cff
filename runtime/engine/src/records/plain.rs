//! The answer whether threads give locks back by plain stores: one for all records
//! (`mutex/plain.rs`).

use core::sync::atomic::{AtomicBool, Ordering};

static PLAINLY: AtomicBool = AtomicBool::new(false);

/// Whether threads give locks back by plain stores: all of them can be made to pass a barrier.
pub(crate) fn plainly() -> bool {
    PLAINLY.load(Ordering::Relaxed)
}

/// Sets the answer. The library's constructor calls it, before the first record is made.
pub(crate) fn decide(plainly: bool) {
    PLAINLY.store(plainly, Ordering::Relaxed);
}
