//! Locks of one rank that are told apart by a number: one for each device's table.
//!
//! The rules for a [`ProcessLock`](super::ProcessLock) hold for each of them. A thread holds one of
//! them at most.

use super::{Guard, rank, take};
use core::cell::UnsafeCell;
use core::sync::atomic::AtomicU64;

/// The number of these locks.
pub const COUNT: usize = 64;

/// The words of these locks. The word of the rank itself, in the other locks' table, is not used.
pub(super) static WORDS: [AtomicU64; COUNT] = [const { AtomicU64::new(0) }; COUNT];

/// A value for each number, each behind a lock of its own. Only one static has this type.
pub struct NumberedLocks<T>([UnsafeCell<T>; COUNT]);

// SAFETY: only the holder of a lock reaches its value.
unsafe impl<T: Send> Sync for NumberedLocks<T> {}

impl<T> NumberedLocks<T> {
    /// Makes the locks of these values.
    pub const fn new(values: [UnsafeCell<T>; COUNT]) -> Self {
        NumberedLocks(values)
    }

    /// Waits for the lock of this number, which is below [`COUNT`]. Not async-signal-safe. A thread
    /// must not take it twice, nor two of them.
    #[inline]
    pub fn lock(&self, number: usize) -> Guard<'_, T, { rank::TABLES }> {
        let (value, word) = (&self.0[number], &WORDS[number]);
        #[cfg(debug_assertions)]
        super::order::takes(rank::TABLES);
        take(word);
        Guard { value, word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    static LOCKS: NumberedLocks<u32> = NumberedLocks::new([const { UnsafeCell::new(0) }; COUNT]);

    #[test]
    fn one_number_does_not_wait_for_another() {
        let mut first = LOCKS.lock(0);
        *first += 1;
        let others = || {
            let add = || (0..1000).for_each(|_| *LOCKS.lock(COUNT - 1) += 1);
            thread::scope(|scope| (0..3).for_each(|_| _ = scope.spawn(add)));
            *LOCKS.lock(COUNT - 1)
        };
        // While this thread holds the first.
        let got = thread::scope(|scope| scope.spawn(others).join().unwrap());
        assert_eq!((got, *first), (3000, 1));
    }
}
