//! Ends taskgroups.

use super::group::set;
use super::{gomp_reduction, hooks, prepared, reduction, wait};
use crate::call::Call;
use crate::records::{Group, Owner, Thread};
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, Kind, SyncKind, wants};
use omphalos_sys::entry::Caller;

/// Ends the innermost taskgroup: waits for its tasks, finishes its reductions.
#[inline(always)]
pub fn end(thread: &'static Thread, call: impl Call) {
    // An end without a begin has no group.
    let Some(group) = thread.as_owner().group() else { return };
    let simple = group.gomp_reductions.get().is_null() && group.finishes_nothing();
    if simple && !call.may_be_watched() && group.count.is_at_rest(thread) {
        prepared::look_again(thread);
        leave(thread, group);
    } else if simple
        && group.count.is_empty(thread)
        && let Some(prepared) = prepared::prepared_alone(thread)
    {
        // Calls nothing before the tool's callback, so that only the thread is kept in a register
        // over it.
        prepared::look_again(thread);
        let outer = thread.as_owner().give_group(group);
        let task = thread.as_owner().task();
        task.group.set(task, outer);
        if let Some(task) = prepared {
            task.group.set(task, outer);
        }
        hooks::group_end(thread, call.caller());
    } else {
        end_any(thread, group, call.caller());
    }
}

/// Does what [`end`] does, where the runtime itself ends the group.
pub fn end_of_region(thread: &'static Thread) {
    if let Some(group) = thread.as_owner().group() {
        end_any(thread, group, Caller::NONE);
    }
}

#[inline(never)]
fn end_any(thread: &'static Thread, group: Owner<'static, Group>, caller: Caller) {
    // The wait is told even if the other threads have completed all tasks: see
    // `wait::for_children_told`.
    if !group.count.is_untouched(thread) {
        wait::for_count(thread, &group.count, SyncKind::Taskgroup, caller);
    }
    let reductions = group.reductions.get();
    if !reductions.is_null() {
        group.reductions.set(group, core::ptr::null_mut());
    }
    if group.cancelled.load(Ordering::Relaxed) {
        group.cancelled.store(false, Ordering::Relaxed);
    }
    let combines = wants(Kind::Reduction) && group.registers();
    let table = group.gomp_reductions.get();
    group.carrier.set(group, false);
    leave(thread, group);
    hooks::sync(thread, Kind::SyncRegion, SyncKind::Taskgroup, Endpoint::End, caller);
    if combines {
        gomp_reduction::combining(thread, table, caller);
    }
    // This comes after the event: to a race detector, the event orders the tasks before the
    // combining.
    if !reductions.is_null() {
        reduction::finish(thread, reductions, caller);
    }
}

/// Ends the innermost taskgroup if there is nothing to wait for and nothing to finish. Returns
/// false if it did not. No tool is attached.
#[inline(always)]
pub fn end_unseen(thread: &Thread) -> bool {
    let Some(group) = thread.as_owner().group() else { return true };
    let plain = group.is_plain(thread);
    if plain {
        prepared::look_again(thread);
        leave(thread, group);
    }
    plain
}

/// Puts the current task back into the group around `group`.
#[inline(always)]
fn leave(thread: &Thread, group: Owner<'static, Group>) {
    set(thread, thread.as_owner().give_group(group));
}
