//! A mutex in one 32-bit word: free (0), taken (1), taken and somebody sleeps (2).
//!
//! It is what fits every lock that the two C interfaces can hand over: the 4-byte `omp_lock_t` of
//! GCC, the first word of LLVM's critical names. An uncontended acquire is one compare-exchange, a
//! release one exchange; nobody spins longer than its budget, and a release wakes at most one.

use crate::shim::{AtomicU32, Ordering, futex_wait, futex_wake};
use crate::spin::Spin;

const FREE: u32 = 0;
const TAKEN: u32 = 1;
const CONTENDED: u32 = 2;

/// Tries to take the lock; true if it was free.
#[inline(always)]
pub fn try_acquire(word: &AtomicU32) -> bool {
    word.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
}

/// Takes the lock after [`try_acquire`] failed: spins for `budget` time-stamp cycles, then sleeps.
#[cold]
pub fn acquire_contended(word: &AtomicU32, budget: u64) {
    let mut spin = Spin::new(budget);
    while spin.again() {
        if word.load(Ordering::Relaxed) == FREE && try_acquire(word) {
            return;
        }
    }
    // From here on the word says that somebody sleeps; whoever gets it this way keeps saying so,
    // because it cannot know whether it was the last sleeper.
    while word.swap(CONTENDED, Ordering::Acquire) != FREE {
        futex_wait(word, CONTENDED);
    }
}

/// Gives the lock back and wakes one sleeper, if any.
#[inline(always)]
pub fn release(word: &AtomicU32) {
    if word.swap(FREE, Ordering::Release) == CONTENDED {
        futex_wake(word, 1);
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    #[test]
    fn two_threads_exclude_each_other() {
        loom::model(|| {
            let shared = Arc::new((AtomicU32::new(0), UnsafeCell::new(0)));
            let add = |s: &(AtomicU32, UnsafeCell<i32>)| {
                if !try_acquire(&s.0) {
                    acquire_contended(&s.0, 0);
                }
                // SAFETY: the lock is held.
                s.1.with_mut(|p| unsafe { *p += 1 });
                release(&s.0);
            };
            let other = shared.clone();
            let thread = thread::spawn(move || add(&other));
            add(&shared);
            thread.join().unwrap();
            // SAFETY: the other thread has ended.
            assert_eq!(shared.1.with(|p| unsafe { *p }), 2);
        });
    }
}
