//! Whether locks are given back by plain stores, and what who sleeps for one does about it.
//!
//! The argument stands in `omphalos_sync::word_lock`.

use crate::records::plain;
use crate::threads::registry;
use omphalos_sync::{shim, word_lock};
use omphalos_sys::{barrier, thread};

/// For the library's constructor. Where that of another library came first and made a record, all
/// keep the exchange: what is asked here must be the same for every record.
pub(crate) fn prepare() {
    if registry::has_records() {
        return;
    }
    // A process with threads would wait for milliseconds: it keeps the exchange.
    plain::decide(thread::alone() && barrier::register());
}

/// Bit 0 was set in a lock's word, which now holds `word`: the owner has to know, unless it finds
/// out by the exchange with which it gives the lock back.
#[cold]
#[inline(never)]
pub(super) fn mark(word: u32) -> bool {
    if !plain::plainly() {
        return true;
    }
    let owner = word_lock::owner_of(word).and_then(registry::with_number);
    owner.is_some_and(|owner| !owner.holder.mark() || shim::barrier_of_all())
}
