//! The events of everything that excludes: locks, critical, ordered, atomic.

use omphalos_events::{Event, Kind, MutexKind, dispatch, wants};
use omphalos_sys::entry::Caller;

/// About to acquire.
#[inline(always)]
pub fn acquire(kind: MutexKind, hint: u32, implementation: u32, wait_id: u64, caller: Caller) {
    if wants(Kind::MutexAcquire) {
        let codeptr = caller.address;
        dispatch(&Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr });
    }
}

/// Got it.
#[inline(always)]
pub fn acquired(kind: MutexKind, wait_id: u64, caller: Caller) {
    if wants(Kind::MutexAcquired) {
        dispatch(&Event::MutexAcquired { kind, wait_id, codeptr: caller.address });
    }
}

/// Gave it back.
#[inline(always)]
pub fn released(kind: MutexKind, wait_id: u64, caller: Caller) {
    if wants(Kind::MutexReleased) {
        dispatch(&Event::MutexReleased { kind, wait_id, codeptr: caller.address });
    }
}
