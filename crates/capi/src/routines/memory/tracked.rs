//! `GOMP_add_alloc` and `GOMP_is_alloc`: which of a Fortran program's allocatable and pointer
//! variables were allocated by an `allocators` construct, so that `deallocate` frees them as such.
//!
//! Asked where an array goes or changes its size, not where it is used: one lock serves all.

use core::ffi::c_void;
use omphalos_sync::process_lock::{ProcessLock, rank};
use std::collections::BTreeSet;

static ALLOCATED: ProcessLock<BTreeSet<usize>, { rank::ALLOCATED }> =
    ProcessLock::new(BTreeSet::new());

/// GCC: `memory` came from `GOMP_alloc`; null changes nothing (GOMP_5.1.2).
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_add_alloc(memory: *mut c_void) {
    if !memory.is_null() {
        ALLOCATED.lock().insert(memory as usize);
    }
}

/// GCC: whether `memory` came from `GOMP_alloc`. Asked before it is freed or moved, so it is
/// forgotten here (GOMP_5.1.2).
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_is_alloc(memory: *mut c_void) -> bool {
    ALLOCATED.lock().remove(&(memory as usize))
}
