//! Keeps a record ready on each thread for a task that the thread executes at once.
//!
//! To define the record of such a task would be two thirds of its cost. So the record is defined
//! once and used for every such child of one task. `prepared` of a thread is null, or an unused
//! record that is defined as a child of the thread's current task, in its current state. While such
//! a record is itself the current task, the next prepared record is a child of it. When the task
//! ends, that child stays with its record (in `data`, which nothing else reads), so a recursion
//! defines one record for each depth.
//!
//! What must hold: code that changes a thread's current task, or that task's ICVs, calls
//! [`drop_prepared`] first. Code that changes the task's group calls [`change_group`].
//!
//! Who calls: `unseen.rs` and `shown.rs` execute tasks on it.

use super::records;
use crate::records::{Group, Owner, Task, Thread};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_settings::settings;

/// Whether a record may be prepared: nothing can be cancelled.
#[inline(always)]
pub fn may_prepare() -> bool {
    !settings().cancellation
}

/// Returns the prepared record, if there is one, and no other record stays with it. `None` if
/// others do: [`change_group`] would give these back.
#[inline(always)]
pub(super) fn prepared_alone(thread: &Thread) -> Option<Option<Owner<'static, Task>>> {
    match thread.as_owner().prepared() {
        Some(task) if !task.data.get().is_null() => None,
        task => Some(task),
    }
}

/// Changes the group of the prepared record too: the innermost group of the thread's current task
/// has changed.
#[inline(always)]
pub(super) fn change_group(thread: &Thread, group: *const Group) {
    if let Some(task) = thread.as_owner().prepared() {
        task.group.set(task, group);
        if !task.data.get().is_null() {
            give_chain(thread, task.data.replace(task, core::ptr::null_mut()).cast());
        }
    }
}

/// Gives up the prepared record, because the thread's current task or its ICVs are about to change.
#[inline(always)]
pub fn drop_prepared(thread: &Thread) {
    if !thread.tasks.prepared.get().is_null() {
        give_chain(thread, thread.tasks.prepared.replace(thread.as_owner(), core::ptr::null()));
    }
}

/// Gives back a prepared record and those that stayed with it.
#[inline(never)]
fn give_chain(thread: &Thread, first: *const Task) {
    look_again(thread);
    // SAFETY: null or an idle record; records are never freed.
    let mut next = unsafe { first.as_ref::<'static>() };
    while let Some(task) = next {
        // SAFETY: as above.
        next = unsafe { task.data.get().cast::<Task>().as_ref() };
        records::give_own(thread, task);
    }
}

/// The number of tasks that a thread executes at once before it looks at its full queue again.
/// Another thread that finds no task may ask it to look earlier ([`ask_member`]).
pub(super) const TASKS_BETWEEN_LOOKS: i32 = 15;

/// The number of tasks that others take from a member until one of them asks it to look at its
/// queue again before its next task ([`ask_member`]). A full queue holds twice as many. So if the
/// others empty the queue while the member executes one task, one of them asks before the queue's
/// last task begins.
pub(super) const TASKS_TAKEN_BEFORE_ASKING: u64 = 512;

/// Makes the thread decide again, before its next task, whether to queue it or to execute it at
/// once.
#[inline(always)]
pub(crate) fn look_again(thread: &Thread) {
    thread.tasks.ready.store(0, Relaxed);
}

/// Asks `member` to queue its next tasks instead of executing them at once. The calling thread
/// found no task there. Returns false if this would change nothing: the member looks at its queue
/// before its next task anyway, or it has no choice. A member that writes the number at the same
/// moment may miss this. But a thread that finds nothing asks again, and a thread that sleeps wakes
/// up to do so.
#[inline(always)]
pub(super) fn ask_member(member: &Thread) -> bool {
    // A member with a higher number has no choice: it is alone, or in a final task.
    let asks = (1..=TASKS_BETWEEN_LOOKS).contains(&member.tasks.ready.load(Relaxed));
    if asks {
        member.tasks.ready.store(0, Relaxed);
    }
    asks
}

/// Whether the latest answer of `unseen::goes_first` holds for one more task. Entry stubs ask this
/// where a record is prepared.
#[inline(always)]
pub fn still_goes_first(thread: &Thread) -> bool {
    let ready = thread.tasks.ready.load(Relaxed);
    thread.tasks.ready.store(ready.wrapping_sub(1), Relaxed);
    ready > 0 && !thread.tasks.prepared.get().is_null()
}

/// Returns the prepared record, if no tool is attached: then `unseen::call` can execute a task at
/// once. (If tasks can be cancelled, no record is ever prepared.)
#[inline(always)]
pub fn prepared(thread: &Thread) -> Option<&'static Task> {
    thread.as_owner().prepared().map(Owner::record).filter(|_| !omphalos_events::active())
}
