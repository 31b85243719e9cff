//! Holds each thread to the order of the ranks when it takes locks, in builds with debug
//! assertions. Who calls: `mod.rs`, where a lock is taken and given back.

use core::cell::Cell;

thread_local! {
    /// The ranks that the thread holds, one bit each.
    static HELD: Cell<u64> = const { Cell::new(0) };
}

/// Checks that the thread may take the lock of this rank.
pub fn takes(rank: usize) {
    HELD.with(|held| {
        let above = held.get() >> rank;
        assert!(
            above == 0,
            "lock {rank} is taken inside {}",
            rank + above.trailing_zeros() as usize
        );
    });
    took(rank);
}

/// Notes that the thread has the lock.
pub fn took(rank: usize) {
    HELD.with(|held| held.set(held.get() | 1 << rank));
}

/// Notes that the thread has given the lock back.
pub fn gave_back(rank: usize) {
    HELD.with(|held| held.set(held.get() & !(1 << rank)));
}
