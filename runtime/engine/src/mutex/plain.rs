//! Decides whether threads give locks back by plain stores, and takes the owner's extra steps
//! before another thread sleeps for the lock. `omphalos_sync::word_lock` and `nest_lock` have the
//! argument.

use crate::records::plain;
use crate::threads::registry;
use omphalos_sync::nest_lock::Stores;
use omphalos_sync::{shim, word_lock};
use omphalos_sys::{barrier, thread};

/// Whether tasks change nest locks by plain stores, one answer for all of them.
pub(super) static NEST_STORES: Stores = Stores::none();

/// Decides whether threads give locks back by plain stores. The library's constructor calls it. If
/// a record exists already, because another library's constructor came first, all threads keep the
/// exchange: every record must have the same answer.
pub(crate) fn prepare() {
    if registry::has_records() {
        return;
    }
    // In a process with several threads the registration takes milliseconds: such a process keeps
    // the exchange.
    let plainly = thread::alone() && barrier::register();
    plain::decide(plainly);
    if plainly {
        NEST_STORES.allow();
    }
}

/// Makes sure that the owner of a lock learns that a thread sleeps for it: bit 0 was set in the
/// lock's word, which holds `word` since. An owner that gives the lock back by an exchange sees the
/// bit by itself.
#[cold]
#[inline(never)]
pub(super) fn mark(word: u32) -> bool {
    if !plain::plainly() {
        return true;
    }
    let owner = word_lock::owner_of(word).and_then(registry::with_number);
    owner.is_some_and(|owner| !owner.holder.mark() || shim::barrier_of_all())
}
