//! The locks behind atomic operations that the processor has no instruction for.

use core::sync::atomic::AtomicU32;
use crossbeam_utils::CachePadded;

/// Power of two: enough that threads rarely meet by accident.
const STRIPES: usize = 64;

static BY_ADDRESS: [CachePadded<AtomicU32>; STRIPES] =
    [const { CachePadded::new(AtomicU32::new(0)) }; STRIPES];
static OF_ALL: CachePadded<AtomicU32> = CachePadded::new(AtomicU32::new(0));

/// The lock for the variable at `address`: every operation on one variable takes the same one.
#[inline]
pub fn atomic_lock(address: usize) -> &'static AtomicU32 {
    // Variables are at least 8 bytes and mostly 16 or 32; neighbours get different locks.
    let mixed = (address >> 3) ^ (address >> 9) ^ (address >> 15);
    &BY_ADDRESS[mixed % STRIPES]
}

/// The lock of atomic constructs that a compiler brackets without naming the variable.
#[inline]
pub fn lock_of_all_atomics() -> &'static AtomicU32 {
    &OF_ALL
}
