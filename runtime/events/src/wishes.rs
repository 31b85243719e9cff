//! The points in which the [partner](crate::partner) wants other events than OpenMP describes.
//!
//! What must hold: no other tool is told anything else because of a wish. So each question also
//! asks whether the partner alone wants the kinds in question, as far as any tool does.

use crate::event::Kind;
pub use crate::partner::BODIES;
use crate::partner::{WISHES, is_alone};
use core::sync::atomic::Ordering::Relaxed;

/// Waits for other iterations of a doacross loop are told, as waits for an `ordered` region: there
/// is no event for them.
pub const DOACROSS_WAITS: u32 = 1;
/// A worker's events at the end of a region may come after the primary's.
pub const LATE_ENDS: u32 = 2;

/// Sets the partner's wishes. Returns those that are known.
pub fn wish(wishes: u32) -> u32 {
    let known = wishes & (DOACROSS_WAITS | LATE_ENDS | BODIES);
    WISHES.store(known, Relaxed);
    known
}

#[inline(always)]
fn wished(wish: u32, kinds: &[Kind]) -> bool {
    WISHES.load(Relaxed) & wish != 0 && kinds.iter().all(|kind| is_alone(*kind))
}

/// Whether waits in doacross loops are told.
#[inline]
pub fn tells_doacross_waits() -> bool {
    let told = [Kind::MutexAcquire, Kind::MutexAcquired, Kind::MutexReleased];
    wished(DOACROSS_WAITS, &told)
}

/// Whether the primary of a region need not wait until its workers have told the end.
#[inline]
pub fn ends_may_be_late() -> bool {
    wished(LATE_ENDS, &[Kind::SyncRegion, Kind::SyncWait, Kind::ImplicitTask])
}
