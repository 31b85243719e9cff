//! A lock that its owner may take again, in one 64-bit word.
//!
//! LLVM's interface has eight bytes for a nest lock (GCC's has sixteen). A task owns a nest lock,
//! so the word holds the exact address of the owner's record:
//!
//! | bits | meaning |
//! |---|---|
//! | 20..64 | the owner's address / 8 (user addresses have 47 bits), 0 when free |
//! | 1..20 | how often the owner holds it |
//! | 0 | a thread may sleep |
//!
//! Holds for which the count has no room stand beside the lock (`deep_holds`): from 2^18 holds on
//! the owner looks there too.
//!
//! A sleeper sleeps on the low half, which is never 0 while the lock is held. Only the owner
//! changes the owner and the count; others only set bit 0. With atomic read-modify-writes for all
//! these no change is lost. `word_lock` has the argument about wake-ups. `plain` spares the owner
//! most of these read-modify-writes.

mod plain;

pub use plain::{
    Stores, acquire_contended_by, give_back, release_by, try_acquire_by, try_acquire_slowly,
};

use crate::deep_holds;
use crate::shim::{AtomicU64, Ordering, futex_wait_low, futex_wait_low_for, futex_wake_low};
use crate::spin::Spin;
use core::time::Duration;

/// The shift of the owner's address in the word, divided by [`OWNER_UNIT`].
pub const OWNER_SHIFT: u32 = 20;
/// Addresses of owners are multiples of this.
pub const OWNER_UNIT: u32 = 8;
const SLEEPERS: u64 = 1;
const ONCE: u64 = 1 << 1;
const COUNT: u64 = (1 << 20) - ONCE;
/// From this many holds on, some may stand beside the lock. So many are moved there, or back, at
/// once.
const HOLDS_MOVED: u64 = 1 << 18;

/// Returns the part of the word that names the lock's owner.
#[inline(always)]
const fn holder(owner: usize) -> u64 {
    (owner as u64 / OWNER_UNIT as u64) << OWNER_SHIFT
}

/// Returns the address of the owner's record and the number of its holds; `None` for a free lock.
pub const fn owner_of(word: u64) -> Option<(usize, u32)> {
    match (word >> OWNER_SHIFT) * OWNER_UNIT as u64 {
        0 => None,
        owner => Some((owner as usize, ((word & COUNT) / ONCE) as u32)),
    }
}

/// Tries to take the lock for `owner`, the address of a record, aligned to 8. Returns how often
/// `owner` holds it then; 0 if another owner holds it, or `owner` holds it very often
/// ([`try_acquire_deep`]).
#[inline(always)]
pub fn try_acquire(word: &AtomicU64, owner: usize) -> u32 {
    let mine = holder(owner);
    match word.compare_exchange(0, mine | ONCE, Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => 1,
        Err(seen) if seen & !(COUNT | SLEEPERS) == mine => {
            // The owner's count only changes here and in `release`, both called by the owner.
            let count = (seen & COUNT) / ONCE;
            if count >= HOLDS_MOVED - 1 {
                return 0;
            }
            word.fetch_add(ONCE, Ordering::Relaxed);
            count as u32 + 1
        }
        Err(_) => 0,
    }
}

/// Takes the lock after [`try_acquire`] returned 0: spins for `budget` time-stamp cycles, then
/// sleeps.
#[cold]
#[inline(never)]
pub fn acquire_contended(word: &AtomicU64, owner: usize, budget: u64) {
    acquire_contended_with(word, owner, budget, || true);
}

/// The longest sleep of a thread that cannot be sure to be woken.
const DOUBT: Duration = Duration::from_millis(1);

/// Does what [`acquire_contended`] does. Calls `mark` when bit 0 was set; it returns whether the
/// thread is sure to be woken.
#[inline(always)]
fn acquire_contended_with(word: &AtomicU64, owner: usize, budget: u64, mark: impl Fn() -> bool) {
    let mine = holder(owner) | ONCE;
    let take = |new: u64| word.compare_exchange(0, new, Ordering::Acquire, Ordering::Relaxed);
    let mut spin = Spin::new(budget);
    while spin.spin_once() {
        if word.load(Ordering::Relaxed) == 0 && take(mine).is_ok() {
            return;
        }
    }
    let mut seen = word.load(Ordering::Relaxed);
    let mut sure = true;
    loop {
        if seen == 0 {
            match take(mine | SLEEPERS) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        } else if seen & SLEEPERS == 0 {
            let marked = seen | SLEEPERS;
            match word.compare_exchange(seen, marked, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => {
                    seen = marked;
                    sure = mark();
                }
                Err(now) => seen = now,
            }
        } else {
            if sure {
                futex_wait_low(word, seen);
            } else {
                futex_wait_low_for(word, seen, DOUBT);
            }
            seen = word.load(Ordering::Relaxed);
        }
    }
}

/// Gives the owner's lock back once. Returns how often the owner still holds it. The last time
/// wakes a sleeper.
#[inline(always)]
pub fn release(word: &AtomicU64) -> u32 {
    let (left, has_sleepers) = exchange_back(word);
    if has_sleepers {
        wake_one(word);
    }
    left
}

/// Gives the lock back once by exchanges. Returns the number of holds that are left, and whether a
/// thread may sleep.
#[inline(always)]
fn exchange_back(word: &AtomicU64) -> (u32, bool) {
    let count = (word.load(Ordering::Relaxed) & COUNT) / ONCE;
    if count > 1 {
        if count >= HOLDS_MOVED {
            return (release_deep(word, count), false);
        }
        word.fetch_sub(ONCE, Ordering::Relaxed);
        return (count as u32 - 1, false);
    }
    (0, word.swap(0, Ordering::Release) & SLEEPERS != 0)
}

/// Takes the lock, after [`try_acquire`] returned 0, for an owner that holds it very often. Returns
/// how often the owner holds it then, at most the largest `int`; 0 if another owner holds it.
#[cold]
#[inline(never)]
pub fn try_acquire_deep(word: &AtomicU64, owner: usize) -> u32 {
    let seen = word.load(Ordering::Relaxed);
    if seen & !(COUNT | SLEEPERS) != holder(owner) {
        return 0;
    }
    let (lock, count) = (core::ptr::from_ref(word) as usize, (seen & COUNT) / ONCE);
    if count < HOLDS_MOVED {
        // A lock with so few holds has none beside it. If there is an entry, an earlier lock at
        // this address left it.
        deep_holds::set(lock, 0);
    }
    if count == COUNT / ONCE {
        deep_holds::set(lock, deep_holds::get(lock) + HOLDS_MOVED);
        word.fetch_sub(HOLDS_MOVED * ONCE, Ordering::Relaxed);
    }
    let before = word.fetch_add(ONCE, Ordering::Relaxed);
    as_int((before & COUNT) / ONCE + 1 + deep_holds::get(lock))
}

/// Gives back one of an owner's many holds.
#[cold]
#[inline(never)]
fn release_deep(word: &AtomicU64, count: u64) -> u32 {
    let lock = core::ptr::from_ref(word) as usize;
    let beside = deep_holds::get(lock);
    if count == HOLDS_MOVED && beside != 0 {
        deep_holds::set(lock, beside - HOLDS_MOVED);
        word.fetch_add((HOLDS_MOVED - 1) * ONCE, Ordering::Relaxed);
    } else {
        word.fetch_sub(ONCE, Ordering::Relaxed);
    }
    as_int(count - 1 + beside)
}

fn as_int(count: u64) -> u32 {
    count.min(i32::MAX as u64) as u32
}

/// Wakes one thread that sleeps for the lock at `word`, if any.
#[cold]
#[inline(never)]
pub fn wake_one(word: &AtomicU64) {
    futex_wake_low(word, 1);
}

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
