//! Waits inside a task: taskwait, the end of a taskgroup, taskyield.

use super::constraint::Constraint;
use super::scheduling_point;
use super::{execute, find, hooks, prepared, run};
use crate::call::Call;
use crate::records::{Count, Owner, Task, Thread, Traits, Wanted};
use crate::waiting::Reason;
use omphalos_events::{Endpoint, Kind, State, SyncKind};
use omphalos_sys::entry::Caller;

/// Passes a taskwait of the current task if its children are complete. Returns false if they are
/// not. No tool is attached.
#[inline(always)]
pub fn pass_taskwait(thread: &Thread) -> bool {
    let task = thread.as_owner().task();
    if !task.has(Traits::PARENT) {
        return true;
    }
    if !task.children.is_at_rest(thread) {
        return false;
    }
    // If no child is made meanwhile, the next taskwait has nothing to ask.
    task.forget_children();
    // Other threads may have emptied the queue.
    prepared::look_again(thread);
    true
}

/// Does what [`taskwait`] does, while a tool is attached. Fast path: the thread is quiet.
#[inline(always)]
pub fn watched_taskwait(thread: &'static Thread, call: impl Call) {
    if !hooks::passes_taskwait(thread) {
        taskwait(thread, call);
    } else if thread.task().has(Traits::PARENT) && !pass_taskwait(thread) {
        quiet_taskwait(thread, call.caller());
    }
}

/// Waits in a taskwait that begins on a quiet thread. Its end is told if the thread is not quiet at
/// that time.
#[inline(never)]
fn quiet_taskwait(thread: &'static Thread, caller: Caller) {
    for_count(thread, &thread.task().children, SyncKind::Taskwait, caller);
    if !thread.notes.tasks.is_on() {
        hooks::called(thread, SyncKind::Taskwait, Endpoint::End, caller);
    }
}

/// Waits until the current task's children are complete.
#[inline(never)]
pub fn taskwait(thread: &'static Thread, call: impl Call) {
    let caller = call.caller();
    if call.may_be_watched() {
        hooks::called(thread, SyncKind::Taskwait, Endpoint::Begin, caller);
    }
    let task = thread.as_owner().task();
    if task.has(Traits::PARENT) {
        if call.may_be_watched() {
            for_children_told(thread, task, caller);
        } else if task.children.outstanding(thread) != 0 {
            for_count(thread, &task.children, SyncKind::Taskwait, caller);
        }
    }
    if call.may_be_watched() {
        hooks::called(thread, SyncKind::Taskwait, Endpoint::End, caller);
    }
}

/// Waits for the children of `task`, the current one, where a tool may be attached. Tools are told
/// of a wait wherever other threads had to complete some children, even if these were complete
/// before the wait: the events must not depend on the threads' speed.
fn for_children_told(thread: &'static Thread, task: Owner<'_, Task>, caller: Caller) {
    if task.children.is_untouched(thread) {
        return;
    }
    for_count(thread, &task.children, SyncKind::Taskwait, caller);
    // If no child is made meanwhile, the next taskwait has nothing to tell.
    if task.children.is_at_rest(thread) {
        task.forget_children();
    } else if !task.children.is_untouched(thread) {
        task.children.settle(thread);
    }
}

/// Waits until nothing of `count`, a count of the current task, is outstanding.
pub(super) fn for_count(thread: &'static Thread, count: &Count, kind: SyncKind, caller: Caller) {
    inside(thread, kind, caller, |constraint| {
        if count.outstanding(thread) == 0 {
            return;
        }
        // First the tasks at hand: this thread made most of them, and they end here with no locked
        // instruction but the deque's. If tasks have priorities, those decide the order.
        let plain = !thread.team().tasks.has_ranked(thread.slot().region.get());
        while plain && count.outstanding(thread) != 0 {
            let Some(task) = find::from_own_deque(thread, constraint) else { break };
            execute::queued(thread, task);
        }
        if count.outstanding(thread) != 0 {
            count.begin_wait(thread);
            wanting(thread, core::ptr::from_ref(count).cast(), || {
                let over = || count.is_over();
                scheduling_point::wait_running_tasks(
                    thread,
                    thread.team(),
                    constraint,
                    Reason::ANYTHING,
                    over,
                );
            });
            let lost = !count.is_over();
            count.end_wait();
            if lost {
                // A forked child: the outstanding tasks never come (`lost.rs`).
                count.renew();
            }
        }
    });
}

/// Runs `wait`, in which the current task waits for this count or node. `reach.rs` reads it.
#[inline(always)]
pub(super) fn wanting(thread: &Thread, wanted: Wanted, wait: impl FnOnce()) {
    let wants = thread.tasks.wants.replace(thread.as_owner(), (thread.task.get(), wanted));
    wait();
    thread.tasks.wants.set(thread.as_owner(), wants);
}

/// Runs `wait` with the state and the events of a wait in the thread's current task, and with that
/// task's constraint.
pub(super) fn inside(
    thread: &'static Thread,
    kind: SyncKind,
    caller: Caller,
    wait: impl FnOnce(Constraint),
) {
    let state = match kind {
        SyncKind::Taskgroup => State::WAIT_TASKGROUP,
        _ => State::WAIT_TASKWAIT,
    };
    let before = thread.replace_state(state);
    hooks::sync(thread, Kind::SyncWait, kind, Endpoint::Begin, caller);
    run(thread, caller, wait);
    hooks::sync(thread, Kind::SyncWait, kind, Endpoint::End, caller);
    thread.set_state(before);
}

/// Does what [`inside`] does, for a wait without events of its own.
pub(super) fn silently(
    thread: &'static Thread,
    state: State,
    caller: Caller,
    wait: impl FnOnce(Constraint),
) {
    let state = thread.replace_state(state);
    run(thread, caller, wait);
    thread.set_state(state);
}

#[inline(always)]
fn run(thread: &'static Thread, caller: Caller, wait: impl FnOnce(Constraint)) {
    let task = thread.task();
    hooks::enter(task, caller);
    prepared::look_again(thread);
    wait(Constraint::in_task(task));
    hooks::resume(task, caller);
}

/// Runs one descendant of the current task, if one is ready.
#[inline]
pub fn taskyield(thread: &'static Thread, caller: Caller) {
    let team = thread.team();
    if team.has_tasks(thread) {
        let task = thread.task();
        let state = thread.replace_state(State::OVERHEAD);
        hooks::enter(task, caller);
        prepared::look_again(thread);
        thread.tasks.yields.set(thread.as_owner(), true);
        run::run_one(thread, team, Constraint::in_task(task));
        thread.tasks.yields.set(thread.as_owner(), false);
        hooks::resume(task, caller);
        thread.set_state(state);
    }
}
