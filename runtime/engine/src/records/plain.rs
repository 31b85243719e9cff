//! Says whether threads give locks back by plain stores: one answer for all records
//! (`mutex/plain.rs`).

use core::sync::atomic::{AtomicBool, Ordering};

static PLAINLY: AtomicBool = AtomicBool::new(false);

/// Whether threads give locks back by plain stores. It is true only if the process can make all its
/// threads pass a memory barrier.
pub(crate) fn plainly() -> bool {
    PLAINLY.load(Ordering::Relaxed)
}

/// Sets the answer. The library's constructor calls it, before the first record is made.
pub(crate) fn decide(plainly: bool) {
    PLAINLY.store(plainly, Ordering::Relaxed);
}
