//! Cancellation of regions, worksharing constructs and taskgroups.
//!
//! A bit of the team says that its parallel region is cancelled; the next fork clears it. A thread
//! that leaves the region early comes to the join. There it counts as arrived at every barrier and
//! every worksharing construct that the region may still have (`leave`), so no other member waits
//! for it for ever.
//!
//! A loop or sections construct that can be cancelled ends with a barrier, so it is the last
//! construct before the members' next barrier. The number of that barrier, which is the same for
//! all members, names the cancelled construct. So nothing is reset (`omphalos_sync::cancel`, which
//! also has the model).
use crate::records::{Team, Thread};
use crate::tasks;
use crate::waiting::wake_sleepers;
use crate::worksharing::abandon;
use core::sync::atomic::Ordering;
use omphalos_events::{Cancel, Event, Kind, dispatch, wants};
use omphalos_settings::settings;
use omphalos_sys::entry::Caller;

/// Returns the number of the barrier that ends the calling thread's construct.
fn next_barrier(thread: &Thread) -> u64 {
    thread.slot().epoch.get() + 1
}

/// Cancels the construct around the current task: `kind` is one of [`Cancel`]'s constructs. Returns
/// true if the task must go to the construct's end; false if cancellation is off (cancel-var), or
/// there is no taskgroup to cancel.
pub fn cancel(thread: &'static Thread, kind: u32, caller: Caller) -> bool {
    if !settings().cancellation {
        return false;
    }
    let team = thread.team();
    match kind {
        Cancel::PARALLEL => {
            team.cancelled.fetch_or(kind, Ordering::SeqCst);
            wake_sleepers(team);
        }
        Cancel::TASKGROUP => {
            // Outside of any taskgroup there is nothing to cancel.
            if !tasks::cancel_group(thread) {
                return false;
            }
        }
        _ => team.cancelled_share.set(next_barrier(thread), kind),
    }
    told(thread, kind | Cancel::ACTIVATED, caller);
    if kind == Cancel::TASKGROUP {
        tasks::cut_short(thread);
    }
    true
}

/// Passes a cancellation point. Returns true if the task must go to the construct's end.
#[inline]
pub fn cancellation_point(thread: &'static Thread, kind: u32, caller: Caller) -> bool {
    let team = thread.team();
    let cancelled = match kind {
        Cancel::PARALLEL => team.is_cancelled(),
        Cancel::TASKGROUP => tasks::group_is_cancelled(thread),
        _ => team.cancelled_share.is(next_barrier(thread), kind),
    };
    if cancelled {
        told(thread, kind | Cancel::DETECTED, caller);
        if kind == Cancel::TASKGROUP {
            tasks::cut_short(thread);
        }
    }
    cancelled
}

/// Tells that a barrier found the region cancelled. The thread that cancelled the region, or found
/// it cancelled at a cancellation point, often meets a barrier on its way out. Tools are not told a
/// second time.
#[cold]
pub(crate) fn detected_in_barrier(thread: &'static Thread, caller: Caller) {
    let slot = thread.slot();
    if slot.cancel_told.get() != slot.region.get() {
        told(thread, Cancel::PARALLEL | Cancel::DETECTED, caller);
    }
}

/// Called when a member comes to the join of a cancelled region. The member takes part in nothing
/// any more, so it counts as arrived everywhere, however many barriers the others pass. The next
/// fork takes that back.
#[cold]
pub(crate) fn leave(thread: &'static Thread, team: &Team) {
    let slot = thread.as_owner().slot();
    abandon(slot);
    slot.published.shares_done.store(u64::MAX, Ordering::SeqCst);
    slot.published.arrived.store(u64::MAX, Ordering::SeqCst);
    wake_sleepers(team);
}

#[cold]
fn told(thread: &'static Thread, flags: u32, caller: Caller) {
    if flags & Cancel::PARALLEL != 0 {
        let slot = thread.as_owner().slot();
        slot.cancel_told.set(slot, slot.region.get());
    }
    if wants(Kind::Cancel) {
        let task = &thread.task().tool;
        dispatch(&Event::Cancel { task, flags, codeptr: caller.address() });
    }
}
