//! A mutex in one 32-bit word, which also says which thread holds it.
//!
//! The engine uses it for locks, critical sections and the locks behind atomics. One word fits
//! every lock that the two C interfaces can pass: the 4-byte `omp_lock_t` of GCC, the first word of
//! LLVM's critical names. Without contention an acquire is one compare-exchange, and a release is
//! one exchange, or a plain store ([`release_by`]). No thread spins longer than its budget, and a
//! release wakes at most one thread.
//!
//! | word | meaning |
//! |---|---|
//! | 0 | free |
//! | owner | taken; `owner` is an even number, see [`owner_word`] |
//! | owner + 1 | taken, and a thread may sleep |
//!
//! Why no wake-up is lost: a thread sleeps only while the word holds exactly the value in which it
//! saw (or set) bit 0. So the owner's release sees bit 0 and wakes one thread. A woken thread takes
//! the lock with bit 0 set, because it cannot know whether it was the last sleeper. If another
//! thread was quicker, the woken one sets the bit in that owner's word before it sleeps again.
//!
//! # A release by a plain store
//! A locked instruction costs more than the rest of an uncontended section. [`release_by`] has
//! none. It checks that the word is still the owner's without bit 0, stores 0, and then looks at
//! the owner's *mark*. Another thread may set bit 0 between the check and the store, which would
//! wipe the bit out. So a thread that sets the bit also sets the owner's mark, makes every thread
//! of the process pass a barrier ([`shim::barrier_of_all`](crate::shim)), and only then sleeps.
//! That barrier meets the releasing thread somewhere in its program:
//!
//! - before its check of the word: it sees the bit, and releases by the exchange;
//! - after that check, before its look at the mark: it sees the mark, and wakes one thread;
//! - after both: the store came before the barrier, and the sleeper finds the word changed.
//!
//! A thread that finds the bit set by another one needs no barrier of its own. That other thread is
//! awake until one of the three cases holds for it. If it does not sleep, it takes the lock with
//! bit 0 set, and wakes the next one when it gives the lock back.
//!
//! The first release that sees a mark uses it up, even the release of another lock. The mark was
//! set after the bit, so every later look of the owner at any word sees the bits that came with the
//! mark. After a mark the owner uses the exchange for some releases, so that many sleeps need only
//! one barrier. It says so, and a thread that reads this needs no barrier.
//!
//! After the store that gives a lock back no thread touches the lock's memory, because the next
//! owner may free it. A wake-up only names the address.

use crate::shim::{
    AtomicU32, Ordering, fence, futex_wait, futex_wait_for, futex_wake, own_barrier,
};
use crate::spin::Spin;
use core::time::Duration;

/// The shift of the owner's number + 1 in the word.
pub const OWNER_SHIFT: u32 = 1;
const FREE: u32 = 0;
const SLEEPERS: u32 = 1;
/// The owner in the word if the thread has no number.
pub const UNNAMED: u32 = !SLEEPERS;

/// Returns the word of a lock while the thread with this number (from 0) has it.
#[inline(always)]
pub const fn owner_word(thread: i32) -> u32 {
    (thread as u32).wrapping_add(1) << OWNER_SHIFT
}

/// Returns the number of the thread that holds the lock whose word was read as `word`; `None` if
/// the lock is free or the thread has no number.
pub const fn owner_of(word: u32) -> Option<i32> {
    match word & !SLEEPERS {
        FREE | UNNAMED => None,
        owner => Some((owner >> OWNER_SHIFT) as i32 - 1),
    }
}

/// Tries to take the lock. Returns true if it was free.
#[inline(always)]
pub fn try_acquire(word: &AtomicU32) -> bool {
    try_acquire_as(word, UNNAMED)
}

/// Does what [`try_acquire`] does, and leaves `owner` (an [`owner_word`]) in the word.
#[inline(always)]
pub fn try_acquire_as(word: &AtomicU32, owner: u32) -> bool {
    word.compare_exchange(FREE, owner, Ordering::Acquire, Ordering::Relaxed).is_ok()
}

/// Takes the lock after [`try_acquire`] failed: spins for at most `budget` time-stamp cycles, then
/// sleeps.
#[cold]
pub fn acquire_contended(word: &AtomicU32, budget: u64) {
    acquire_contended_as(word, UNNAMED, budget);
}

/// Does what [`acquire_contended`] does, and leaves `owner` in the word.
#[cold]
#[inline(never)]
pub fn acquire_contended_as(word: &AtomicU32, owner: u32, budget: u64) {
    acquire_contended_with(word, owner, budget, |_| true);
}

#[inline(always)]
fn acquire_contended_with(word: &AtomicU32, owner: u32, budget: u64, mark: impl Fn(u32) -> bool) {
    let mut spin = Spin::new(budget);
    while spin.spin_once() {
        if word.load(Ordering::Relaxed) == FREE && try_acquire_as(word, owner) {
            return;
        }
    }
    let mut seen = word.load(Ordering::Relaxed);
    let mut sure = true;
    loop {
        if seen == FREE {
            match word.compare_exchange(
                FREE,
                owner | SLEEPERS,
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        } else if seen & SLEEPERS == 0 {
            match word.compare_exchange(seen, seen | SLEEPERS, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => {
                    seen |= SLEEPERS;
                    sure = mark(seen);
                }
                Err(now) => seen = now,
            }
        } else {
            if sure {
                futex_wait(word, seen);
            } else {
                futex_wait_for(word, seen, DOUBT);
            }
            seen = word.load(Ordering::Relaxed);
        }
    }
}

/// A thread that can give locks back by a plain store.
#[derive(Debug)]
pub struct Holder {
    /// The thread's [`owner_word`].
    owner: u32,
    /// The word that a lock must hold for a release by a plain store: `owner`, or [`NOTHING`].
    plain: AtomicU32,
    /// The mark: if it is not 0, another thread may have set bit 0 of one of the owner's locks,
    /// unseen by the owner.
    mark: AtomicU32,
    /// The number of further releases that use the exchange. Only the owner uses this.
    cautious: AtomicU32,
}

/// A value that no lock's word without bit 0 has.
const NOTHING: u32 = SLEEPERS;
/// The number of releases by an exchange after another thread went to sleep. If threads keep going
/// to sleep, hardly any of them needs a barrier.
const CAUTIOUS_RELEASES: u32 = if cfg!(loom) { 1 } else { 64 };

impl Holder {
    /// Returns the holder of the thread with this number (from 0). `plain`: whether the system can
    /// make all threads of the process pass a barrier. If it cannot, this thread gives locks back
    /// by an exchange.
    pub fn new(thread: i32, plain: bool) -> Holder {
        let owner = owner_word(thread);
        Holder {
            owner,
            plain: AtomicU32::new(if plain { owner } else { NOTHING }),
            mark: AtomicU32::new(0),
            cautious: AtomicU32::new(0),
        }
    }

    /// Tells this holder that bit 0 was set in the word of one of its locks. Returns true if the
    /// caller needs a barrier of all threads before it sleeps.
    pub fn mark(&self) -> bool {
        // The mark comes after the bit. `be_plain` has the same fence before the owner's next look
        // at the word.
        fence(Ordering::SeqCst);
        // Acquire: locks that were given back by a plain store before are seen to be free.
        if self.plain.load(Ordering::Acquire) == NOTHING {
            return false;
        }
        self.mark.store(1, Ordering::Release);
        true
    }

    /// Uses up a mark that the owner saw.
    fn be_cautious(&self) {
        // Acquire: the bits of all words that came before the mark are seen from here on.
        self.mark.swap(0, Ordering::Acquire);
        self.plain.store(NOTHING, Ordering::Release);
        self.cautious.store(CAUTIOUS_RELEASES, Ordering::Relaxed);
    }

    /// Counts one of the cautious releases as done.
    fn count_down(&self) {
        match self.cautious.load(Ordering::Relaxed) {
            0 => {}
            1 => self.be_plain(),
            left => self.cautious.store(left - 1, Ordering::Relaxed),
        }
    }

    fn be_plain(&self) {
        self.cautious.store(0, Ordering::Relaxed);
        self.plain.store(self.owner, Ordering::Relaxed);
        // A thread that still read the caution has set its bit before the owner's next look at the
        // word.
        fence(Ordering::SeqCst);
    }
}

/// Does what [`try_acquire`] does, for a lock that is given back by [`release_by`] or by
/// [`release`].
#[inline(always)]
pub fn try_acquire_by(word: &AtomicU32, holder: &Holder) -> bool {
    try_acquire_as(word, holder.owner)
}

/// Takes such a lock after [`try_acquire_by`] failed. `mark` gets the word whose bit 0 this thread
/// has just set. It has to [`mark`](Holder::mark) the owner and, if that returns true, to pass a
/// barrier of all threads. It returns false if it could not: then this thread sleeps for only
/// [`DOUBT`] at a time.
#[cold]
#[inline(never)]
pub fn acquire_contended_by(
    word: &AtomicU32,
    holder: &Holder,
    budget: u64,
    mark: impl Fn(u32) -> bool,
) {
    acquire_contended_with(word, holder.owner, budget, mark);
}

/// The longest sleep of a thread that cannot be sure to be woken. No store stays unseen for so
/// long.
const DOUBT: Duration = Duration::from_millis(1);

/// Gives back a lock that `holder`, the calling thread, took by [`try_acquire_by`] or
/// [`acquire_contended_by`]. (For a lock that another thread took it is correct too, and uses the
/// exchange.)
#[inline(always)]
pub fn release_by(word: &AtomicU32, holder: &Holder) {
    if word.load(Ordering::Relaxed) != holder.plain.load(Ordering::Relaxed) {
        return release_cold(word, holder);
    }
    if store_back(word, holder) {
        release_marked(word, holder);
    }
}

/// Does what [`release_by`] does, but without the last step: if this returns true, the caller has
/// to call [`wake_one`] with that address. The lock at `word` may be another's by then, or no lock
/// any more.
#[inline(always)]
#[must_use]
pub fn give_back(word: &AtomicU32, holder: &Holder) -> bool {
    if word.load(Ordering::Relaxed) != holder.plain.load(Ordering::Relaxed) {
        return exchange_back(word, holder);
    }
    let is_marked = store_back(word, holder);
    if is_marked {
        holder.be_cautious();
    }
    is_marked
}

/// Gives the lock back by a plain store. Returns whether a mark was set meanwhile.
#[inline(always)]
fn store_back(word: &AtomicU32, holder: &Holder) -> bool {
    store_free(word);
    own_barrier();
    holder.mark.load(Ordering::Relaxed) != 0
}

#[inline(always)]
fn store_free(word: &AtomicU32) {
    #[cfg(not(loom))]
    word.store(FREE, Ordering::Release);
    // Loom orders two writes only where one happens before the other. It does not know that no
    // store comes between the two halves of the exchange that sets bit 0. The result of this
    // exchange is not used.
    #[cfg(loom)]
    word.swap(FREE, Ordering::AcqRel);
}

#[cold]
#[inline(never)]
fn release_cold(word: &AtomicU32, holder: &Holder) {
    if exchange_back(word, holder) {
        wake_one(word);
    }
}

/// Gives the lock back by an exchange. Returns whether a thread may sleep.
#[inline(always)]
fn exchange_back(word: &AtomicU32, holder: &Holder) -> bool {
    let has_sleepers = word.swap(FREE, Ordering::Release) & SLEEPERS != 0;
    // From here on the code uses only the owner's own record.
    if holder.mark.load(Ordering::Relaxed) != 0 {
        holder.be_cautious();
    } else {
        holder.count_down();
    }
    has_sleepers
}

/// Finishes a release during which a mark was set. The lock at `word` may be no lock any more.
#[cold]
#[inline(never)]
fn release_marked(word: &AtomicU32, holder: &Holder) {
    holder.be_cautious();
    wake_one(word);
}

/// Gives the lock back and wakes one sleeper, if any.
#[inline(always)]
pub fn release(word: &AtomicU32) {
    if word.swap(FREE, Ordering::Release) & SLEEPERS != 0 {
        wake_one(word);
    }
}

/// Wakes one thread that sleeps for the lock at `word`, if any.
#[cold]
#[inline(never)]
pub fn wake_one(word: &AtomicU32) {
    futex_wake(word, 1);
}

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
