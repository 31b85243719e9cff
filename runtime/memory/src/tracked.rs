//! The allocatable and pointer variables of a Fortran program that an `allocators` construct
//! allocated, so that `deallocate` frees them as such.
//!
//! A program asks when it frees an array or changes its size, not when it uses the array: one lock
//! is enough.

use omphalos_index::Numbers;
use omphalos_sync::process_lock::{ProcessLock, rank};

/// The blocks' addresses; their values mean nothing.
static ALLOCATED: ProcessLock<Numbers, { rank::ALLOCATED }> = ProcessLock::new(Numbers::new());

/// Notes the block at `address`; does nothing for 0.
pub fn add(address: usize) {
    if address != 0 {
        ALLOCATED.lock().insert(address, 0);
    }
}

/// Whether the block at `address` was noted. Forgets it: compilers ask before the block is freed or
/// moved.
pub fn take(address: usize) -> bool {
    ALLOCATED.lock().remove(address).is_some()
}
