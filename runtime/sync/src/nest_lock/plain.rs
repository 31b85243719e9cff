//! Lets owners change their nest locks by plain stores.
//!
//! A locked instruction costs more than the rest of an uncontended section, so only the first hold
//! of a free lock has one. [`word_lock`](crate::word_lock) has the idea: the owner checks that bit
//! 0 is not set, stores, and looks afterwards whether another thread set the bit in between. A
//! sleeper of a `word_lock` marks the thread that owns the lock. A nest lock's owner is a task, and
//! may go on in another thread. So one word says for all nest locks whether their owners may store:
//! [`Stores`].
//!
//! The word has three values, in this order: owners store; owners are being stopped; all exchange.
//! It changes for good before the first sleeper sleeps. That thread has set bit 0 of its lock, and
//! then takes these steps, unless it finds that all exchange:
//!
//! 1. it says that owners are being stopped;
//! 2. it makes every thread of the process pass a barrier ([`shim::barrier_of_all`](crate::shim));
//! 3. it says that all exchange, and sleeps.
//!
//! The barrier meets an owner somewhere in its program:
//!
//! - before its first look at [`Stores`]: it sees that it may not store, and exchanges;
//! - after that look, before the second one, behind its store: it sees the sleeper's word. It sets
//!   bit 0 again, which its store may have wiped out, or wakes a thread for a lock that it gave
//!   back;
//! - after both: the store came before the barrier, and the sleeper finds the word changed.
//!
//! A thread that finds that all exchange needs no barrier. The thread that said so passed one
//! before. So all stores that came before that barrier are seen, and none came after it.
//!
//! The change is for good because a program whose threads sleep for nest locks gains nothing worth
//! another barrier. Its nest locks then work by exchanges alone, as without the plain stores.

use super::{
    COUNT, HOLDS_MOVED, ONCE, SLEEPERS, acquire_contended_with, exchange_back, holder, try_acquire,
    try_acquire_deep, wake_one,
};
use crate::shim::{AtomicU32, AtomicU64, Ordering, barrier_of_all, own_barrier};

/// The bits of a count that is small enough for plain stores. Such a count is also below
/// [`HOLDS_MOVED`], so one comparison tells both.
const FEW_HOLDS: u64 = (HOLDS_MOVED / 2 - 1) * ONCE;

/// The answer for all nest locks whether owners may change them by plain stores.
#[derive(Debug)]
pub struct Stores(AtomicU32);

/// No owner may store.
const NONE: u32 = 0;
/// All owners may store.
const ALL: u32 = 1;
/// A thread is about to stop the stores.
const STOPPED: u32 = 2;

impl Stores {
    /// Makes the answer that no owner may store.
    #[cfg(not(loom))]
    pub const fn none() -> Stores {
        Stores(AtomicU32::new(NONE))
    }

    /// Allows owners to store. No lock is held yet, and the system can make all threads of the
    /// process pass a barrier.
    pub fn allow(&self) {
        self.0.store(ALL, Ordering::Relaxed);
    }

    #[inline(always)]
    fn are_allowed(&self) -> bool {
        self.0.load(Ordering::Relaxed) == ALL
    }

    /// Stops plain stores for good. The calling thread has set bit 0 of a lock's word and is about
    /// to sleep. Returns false if the system refuses the barrier: then the owner might not see the
    /// bit, and the thread must not sleep.
    fn stop(&self) -> bool {
        // Acquire: the stores before the barrier of the thread that said so are seen.
        if self.0.load(Ordering::Acquire) == NONE {
            return true;
        }
        self.0.store(STOPPED, Ordering::Relaxed);
        let passed = barrier_of_all();
        if passed {
            self.0.store(NONE, Ordering::Release);
        }
        passed
    }
}

/// Does what [`try_acquire`] does, for a lock whose holds are all taken and given back by functions
/// with the same `stores`. Returns 0 also if the owner has to take it once more by an exchange
/// ([`try_acquire_slowly`]).
#[inline(always)]
pub fn try_acquire_by(word: &AtomicU64, owner: usize, stores: &Stores) -> u32 {
    let mine = holder(owner);
    let seen = word.load(Ordering::Relaxed);
    // This one comparison says that the owner has the lock, not too often, and no thread sleeps.
    if seen & !FEW_HOLDS == mine && stores.are_allowed() {
        change(word, seen + ONCE, stores);
        return ((seen & COUNT) / ONCE) as u32 + 1;
    }
    if seen != 0 {
        return 0;
    }
    match word.compare_exchange(0, mine | ONCE, Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => 1,
        Err(_) => 0,
    }
}

/// Takes the lock by an exchange, after [`try_acquire_by`] returned 0. Returns how often the owner
/// holds it then, at most the largest `int`; 0 if another owner holds it.
#[cold]
#[inline(never)]
pub fn try_acquire_slowly(word: &AtomicU64, owner: usize) -> u32 {
    match try_acquire(word, owner) {
        0 => try_acquire_deep(word, owner),
        count => count,
    }
}

/// Takes the lock after [`try_acquire_by`] returned 0: spins for `budget` time-stamp cycles, then
/// sleeps.
#[cold]
#[inline(never)]
pub fn acquire_contended_by(word: &AtomicU64, owner: usize, budget: u64, stores: &Stores) {
    acquire_contended_with(word, owner, budget, || stores.stop());
}

/// Gives the lock back once, as `release` does.
#[inline(always)]
pub fn release_by(word: &AtomicU64, stores: &Stores) -> u32 {
    let (left, wakes) = give_back(word, stores);
    if wakes {
        wake_one(word);
    }
    left
}

/// Does what [`release_by`] does, except for its last step: if the second result is true, the
/// caller has to call [`wake_one`] with the lock's address. The lock may have another owner by
/// then, or be no lock any more.
#[inline(always)]
#[must_use]
pub fn give_back(word: &AtomicU64, stores: &Stores) -> (u32, bool) {
    let seen = word.load(Ordering::Relaxed);
    if seen & (SLEEPERS | COUNT & !FEW_HOLDS) != 0 || !stores.are_allowed() {
        return exchange_back(word);
    }
    let holds = seen & COUNT;
    if holds > ONCE {
        change(word, seen - ONCE, stores);
        return ((holds / ONCE) as u32 - 1, false);
    }
    store(word, 0, Ordering::Release);
    own_barrier();
    (0, !stores.are_allowed())
}

/// Changes the count of an owner that keeps the lock.
#[inline(always)]
fn change(word: &AtomicU64, to: u64, stores: &Stores) {
    store(word, to, Ordering::Relaxed);
    own_barrier();
    if !stores.are_allowed() {
        set_bit_again(word);
    }
}

#[cold]
#[inline(never)]
fn set_bit_again(word: &AtomicU64) {
    word.fetch_or(SLEEPERS, Ordering::Relaxed);
}

/// Writes by a plain store; under loom by an exchange, for the reason that `word_lock` gives.
#[inline(always)]
fn store(word: &AtomicU64, value: u64, order: Ordering) {
    #[cfg(not(loom))]
    word.store(value, order);
    #[cfg(loom)]
    {
        let _ = order;
        word.swap(value, Ordering::AcqRel);
    }
}

#[cfg(loom)]
impl Stores {
    /// Makes the answer that all owners may store.
    pub(super) fn all() -> Stores {
        Stores(AtomicU32::new(ALL))
    }
}
