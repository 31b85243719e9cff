//! Chooses the member that executes a `single`, and hands its data to the others (`copyprivate`).

use crate::records::Thread;
use core::ffi::c_void;
use core::sync::atomic::Ordering;

/// Whether the calling thread executes this `single`: exactly one member gets true.
///
/// The team counts the constructs that were taken. The member that moves the count past its own
/// count wins, by one locked exchange. A member that finds the count ahead of its own needs no such
/// exchange until it has caught up, because the count only grows.
#[inline]
pub fn single(thread: &Thread) -> bool {
    let (slot, team) = (thread.as_owner().slot(), thread.team());
    if team.size.get() == 1 {
        return true;
    }
    let mine = slot.singles.get();
    slot.singles.set(slot, mine + 1);
    if slot.singles_taken.get() > mine {
        return false;
    }
    let taken = &team.single;
    // After its first `single` in the region a member knows that the count is at least its own, so
    // it need not look (and fetch the line for reading) before it tries.
    let first = mine & ((1 << crate::records::REGION_SHIFT) - 1) == 0;
    let mut now = if first { taken.load(Ordering::Relaxed) } else { mine };
    if now <= mine {
        match taken.compare_exchange(now, mine + 1, Ordering::AcqRel, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(later) => now = later,
        }
    }
    slot.singles_taken.set(slot, now);
    false
}

/// Publishes the winner's data. A barrier must follow before the others read it.
pub fn copyprivate_put(thread: &Thread, data: *mut c_void) {
    thread.team().copyprivate.store(data, Ordering::Release);
}

/// Returns the data that the winner published before the barrier.
pub fn copyprivate_get(thread: &Thread) -> *mut c_void {
    thread.team().copyprivate.load(Ordering::Acquire)
}
