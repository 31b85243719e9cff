//! The region that 5.0 and later show with events at its end. Earlier generations show more.

use core::ptr;
use omphalos_events::{Endpoint, Identity, SyncKind, TaskFlags};

/// Returns the region that is shown with a synchronisation event: null at the end of the barrier
/// that ends the region.
#[inline(always)]
pub fn region(kind: i32, endpoint: i32, region: *const Identity) -> *const Identity {
    let ends =
        kind == SyncKind::BarrierImplicitParallel as i32 || kind == SyncKind::BarrierTeams as i32;
    if ends && endpoint == Endpoint::End as i32 { ptr::null() } else { region }
}

/// Returns the region and the size of the team that are shown with an implicit or initial task.
///
/// The text wants no region at the end. But the region of an initial task has no end event of its
/// own. So at the task's end tools free the data to which the region's word points, as LLVM's
/// runtime lets them. The text wants a size of 0 at the end; tools that know LLVM's runtime get the
/// size on the primary thread.
#[inline(always)]
pub fn team(
    endpoint: i32,
    region: &Identity,
    parallelism: u32,
    index: u32,
    flags: u32,
) -> (*const Identity, u32) {
    let primary = flags & TaskFlags::IMPLICIT != 0 && index == 0;
    if endpoint != Endpoint::End as i32 {
        return (region, parallelism);
    }
    let initial = flags & TaskFlags::IMPLICIT == 0 && region.is_initial_region();
    let shown = if initial { ptr::from_ref(region) } else { ptr::null() };
    (shown, if primary { parallelism } else { 0 })
}
