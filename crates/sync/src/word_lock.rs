//! A mutex in one 32-bit word that says who holds it.
//!
//! It is what fits every lock that the two C interfaces can hand over: the 4-byte `omp_lock_t` of
//! GCC, the first word of LLVM's critical names. An uncontended acquire is one compare-exchange, a
//! release one exchange; nobody spins longer than its budget, and a release wakes at most one.
//!
//! | word | meaning |
//! |---|---|
//! | 0 | free |
//! | owner | taken; `owner` is an even number, see [`owner_word`] |
//! | owner + 1 | taken, and somebody may sleep |
//!
//! Why no wake-up is lost: a thread sleeps only while the word holds exactly the value in which it
//! saw (or set) bit 0, so the owner's release sees bit 0 and wakes one. A woken thread takes the
//! lock with bit 0 set, because it cannot know whether it was the last sleeper; if somebody else
//! was quicker, it sets the bit in that owner's word before it sleeps again.

use crate::shim::{AtomicU32, Ordering, futex_wait, futex_wake};
use crate::spin::Spin;

const FREE: u32 = 0;
const SLEEPERS: u32 = 1;
/// Taken by somebody without a number.
const UNNAMED: u32 = !SLEEPERS;

/// What the word of a lock holds while the thread with this number (from 0) has it.
#[inline(always)]
pub const fn owner_word(thread: i32) -> u32 {
    (thread as u32).wrapping_add(1) << 1
}

/// The number of the thread that holds the lock whose word was read as `word`.
pub const fn owner_of(word: u32) -> Option<i32> {
    match word & !SLEEPERS {
        FREE | UNNAMED => None,
        owner => Some((owner >> 1) as i32 - 1),
    }
}

/// Tries to take the lock; true if it was free.
#[inline(always)]
pub fn try_acquire(word: &AtomicU32) -> bool {
    try_acquire_as(word, UNNAMED)
}

/// As [`try_acquire`], leaving `owner` (an [`owner_word`]) in the word.
#[inline(always)]
pub fn try_acquire_as(word: &AtomicU32, owner: u32) -> bool {
    word.compare_exchange(FREE, owner, Ordering::Acquire, Ordering::Relaxed).is_ok()
}

/// Takes the lock after [`try_acquire`] failed: spins for `budget` time-stamp cycles, then sleeps.
#[cold]
pub fn acquire_contended(word: &AtomicU32, budget: u64) {
    acquire_contended_as(word, UNNAMED, budget);
}

/// As [`acquire_contended`], leaving `owner` in the word.
#[cold]
#[inline(never)]
pub fn acquire_contended_as(word: &AtomicU32, owner: u32, budget: u64) {
    let mut spin = Spin::new(budget);
    while spin.again() {
        if word.load(Ordering::Relaxed) == FREE && try_acquire_as(word, owner) {
            return;
        }
    }
    let mut seen = word.load(Ordering::Relaxed);
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
            match word.compare_exchange(seen, seen | SLEEPERS, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => seen |= SLEEPERS,
                Err(now) => seen = now,
            }
        } else {
            futex_wait(word, seen);
            seen = word.load(Ordering::Relaxed);
        }
    }
}

/// Gives the lock back and wakes one sleeper, if any.
#[inline(always)]
pub fn release(word: &AtomicU32) {
    if word.swap(FREE, Ordering::Release) & SLEEPERS != 0 {
        wake_one(word);
    }
}

#[cold]
#[inline(never)]
fn wake_one(word: &AtomicU32) {
    futex_wake(word, 1);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_word_names_its_owner() {
        let word = AtomicU32::new(0);
        assert!(try_acquire_as(&word, owner_word(0)));
        assert_eq!(owner_of(word.load(Ordering::Relaxed)), Some(0));
        assert!(!try_acquire_as(&word, owner_word(7)));
        release(&word);
        assert_eq!(owner_of(word.load(Ordering::Relaxed)), None);
        assert!(try_acquire(&word));
        assert_eq!(owner_of(word.load(Ordering::Relaxed)), None);
    }

    #[test]
    fn sleepers_get_the_lock_one_after_the_other() {
        let shared = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for number in 0..4 {
                let (word, count) = &shared;
                scope.spawn(move || {
                    for _ in 0..2000 {
                        if !try_acquire_as(word, owner_word(number)) {
                            acquire_contended_as(word, owner_word(number), 0);
                        }
                        let seen = count.load(Ordering::Relaxed);
                        std::hint::spin_loop();
                        count.store(seen + 1, Ordering::Relaxed);
                        release(word);
                    }
                });
            }
        });
        assert_eq!(shared.1.load(Ordering::Relaxed), 8000);
        assert_eq!(shared.0.load(Ordering::Relaxed), 0);
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    type Shared = Arc<(AtomicU32, UnsafeCell<i32>)>;

    fn add(shared: &Shared, number: i32, budget: u64) {
        if !try_acquire_as(&shared.0, owner_word(number)) {
            acquire_contended_as(&shared.0, owner_word(number), budget);
        }
        // SAFETY: the lock is held.
        shared.1.with_mut(|p| unsafe { *p += 1 });
        release(&shared.0);
    }

    fn model(others: i32) {
        let mut builder = loom::model::Builder::new();
        // Three threads with all their preemptions are too many schedules to try.
        builder.preemption_bound = (others > 1).then_some(3);
        builder.check(move || {
            let shared: Shared = Arc::new((AtomicU32::new(0), UnsafeCell::new(0)));
            let threads: Vec<_> = (1..=others)
                .map(|number| {
                    let shared = shared.clone();
                    thread::spawn(move || add(&shared, number, 0))
                })
                .collect();
            add(&shared, 0, 0);
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(shared.0.load(Ordering::Relaxed), 0);
            // SAFETY: the other threads have ended.
            assert_eq!(shared.1.with(|p| unsafe { *p }), others + 1);
        });
    }

    #[test]
    fn two_threads_exclude_each_other() {
        model(1);
    }

    #[test]
    fn three_threads_exclude_each_other_and_none_sleeps_on() {
        model(2);
    }
}
