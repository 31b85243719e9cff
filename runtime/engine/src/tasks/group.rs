//! Begins and cancels taskgroups. `group_end.rs` ends them.
//!
//! A task belongs to the innermost group around the code that makes it, and its children inherit
//! that group. The thread that ends the group waits for all its tasks.

use super::{hooks, prepared};
use crate::call::Call;
use crate::records::{Group, Owner, Thread, Traits};
use core::sync::atomic::Ordering;
use omphalos_events::Cancel;
use omphalos_settings::settings;

impl Group {
    /// Whether the group has nothing to wait for and nothing to finish. (Tools may still want
    /// events.)
    #[inline(always)]
    pub(super) fn is_plain(&self, thread: &Thread) -> bool {
        self.count.is_at_rest(thread) && self.finishes_nothing()
    }

    /// Whether the group's end is only a wait. (Tools may still want events.)
    #[inline(always)]
    pub(super) fn finishes_nothing(&self) -> bool {
        self.reductions.get().is_null()
            && !self.carrier.get()
            && !self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether a table of GCC's was registered with this very group, not with one around it.
    pub(super) fn registers(&self) -> bool {
        let table = self.gomp_reductions.get();
        // SAFETY: null or the group around this one, which lasts longer.
        let outer = unsafe { self.outer.get().as_ref() };
        !self.carrier.get()
            && !table.is_null()
            && outer.is_none_or(|outer| outer.gomp_reductions.get() != table)
    }
}

/// Returns the groups around the current task's code, from the innermost outwards.
pub(super) fn around(thread: &Thread) -> impl Iterator<Item = &'static Group> {
    // SAFETY: null or a group that the current task is in.
    let first = unsafe { thread.task().group.get().as_ref() };
    // SAFETY: outer groups last longer.
    core::iter::successors(first, |group| unsafe { group.outer.get().as_ref() })
}

/// Begins a taskgroup.
#[inline(always)]
pub fn begin(thread: &'static Thread, call: impl Call) {
    if call.may_be_watched() {
        hooks::group_begin(thread, call.caller());
    }
    enter(thread, thread.as_owner().take_group().unwrap_or_else(make));
}

/// Begins a taskgroup if the thread has an unused record; returns whether it has. No tool is
/// attached.
#[inline(always)]
pub fn begin_unseen(thread: &Thread) -> bool {
    let group = thread.as_owner().take_group();
    if let Some(group) = group {
        enter(thread, group);
    }
    group.is_some()
}

/// Puts the current task into `group`, which begins.
#[inline(always)]
fn enter(thread: &Thread, group: Owner<'static, Group>) {
    let task = thread.as_owner().task();
    let outer = task.group.get();
    group.outer.set(group, outer);
    // SAFETY: null or the group around this one.
    let inherited = unsafe { outer.as_ref() }.map(|outer| outer.gomp_reductions.get());
    group.gomp_reductions.set(group, inherited.unwrap_or(core::ptr::null_mut()));
    let owner = if task.has(Traits::PARTS) { core::ptr::null() } else { thread };
    group.count.begin(owner);
    set(thread, group.record());
}

/// Changes the current task's innermost group.
#[inline(always)]
pub(super) fn set(thread: &Thread, group: *const Group) {
    let task = thread.as_owner().task();
    task.group.set(task, group);
    prepared::change_group(thread, group);
}

#[cold]
#[inline(never)]
fn make() -> Owner<'static, Group> {
    Group::make()
}

/// Returns the group that `cancel taskgroup` cancels in a task of `group`.
#[inline(always)]
fn meant(group: *const Group) -> Option<&'static Group> {
    // SAFETY: null or a group that lasts until its tasks are complete; so do those around it.
    let group = unsafe { group.as_ref() }?;
    // SAFETY: as above.
    if group.carrier.get() { unsafe { group.outer.get().as_ref() } } else { Some(group) }
}

/// Cancels the innermost taskgroup of the current task. Returns true if there is one and
/// cancellation is enabled.
pub fn cancel(thread: &Thread) -> bool {
    let group = meant(thread.task().group.get()).filter(|_| settings().cancellation);
    group.inspect(|group| group.cancelled.store(true, Ordering::Relaxed)).is_some()
}

/// Marks the current task's innermost group, which has just begun, as one that exists for its
/// reductions only.
pub(super) fn only_carries(thread: &Thread) {
    if let Some(group) = thread.as_owner().group() {
        group.carrier.set(group, true);
    }
}

/// Marks the current task, which found its taskgroup cancelled and goes to its end: tools will be
/// told that it was cancelled.
pub fn cut_short(thread: &Thread) {
    let task = thread.as_owner().task();
    if task.is_explicit() {
        task.add_traits(Traits::CANCELLED);
    }
}

/// Whether the innermost taskgroup of the current task was cancelled, or the region was.
pub fn is_cancelled(thread: &Thread) -> bool {
    settings().cancellation && {
        let team = thread.team().cancelled.load(Ordering::Relaxed);
        team & Cancel::PARALLEL != 0
            || meant(thread.task().group.get())
                .is_some_and(|group| group.cancelled.load(Ordering::Relaxed))
    }
}

/// Whether a child of the current task may take part in a reduction of a group around it.
pub(super) fn reduces(thread: &Thread) -> bool {
    let is_gomp = |group: &Group| !group.gomp_reductions.get().is_null();
    around(thread).any(|group| !group.reductions.get().is_null() || is_gomp(group))
}

/// Whether a task that has not begun must be discarded.
#[inline(always)]
pub(super) fn discards(task: &crate::records::Task) -> bool {
    settings().cancellation && {
        // SAFETY: the team of a task that is not complete; teams are never freed.
        let team = unsafe { &*task.team.get() };
        let cancelled = |group: &Group| group.cancelled.load(Ordering::Relaxed);
        (meant(task.group.get()).is_some_and(cancelled)
            || team.cancelled.load(Ordering::Relaxed) & Cancel::PARALLEL != 0)
            && !task.has(Traits::COPIED)
    }
}
