//! Makes tasks that threads outside the team may execute: tasks of the pool, which free agents and
//! members execute, and target tasks, which only hidden helper threads execute.
//!
//! `agents.rs` and `helpers.rs` manage these threads. Such a task goes to a list when it is ready
//! (`queue.rs`), so it has a priority of at least 1. Tasks that an initial task leaves to such
//! threads are complete before its own thread ends ([`finish_left_to_others`]).

use super::constraint::Constraint;
use super::create;
use super::define::{self, Spec};
use super::{agents, group, hooks, presence, queue, scheduling_point};
use crate::records::{Owner, Task, Thread, Traits};
use crate::waiting::Reason;
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_settings::settings;
use omphalos_sys::entry::Caller;

/// Returns [`Traits::POOL`] if a task that the current task makes now may be left to agents, else
/// 0. It may not if its group has a reduction, whose copies are for members only; if it runs in
/// parts or an event completes it, because it may end on another thread than it began on; if it is
/// transparent, because its children may depend on tasks of the team, which an agent cannot begin.
pub fn pool_trait(thread: &Thread, traits: u32) -> u32 {
    let other = traits & (Traits::DETACHABLE | Traits::PARTS | Traits::TRANSPARENT) != 0;
    let team = thread.team();
    let none = agents::most(team) == 0 || has_lost_tasks(thread);
    if other || none || thread.task().is_final() || group::reduces(thread) {
        return 0;
    }
    Traits::POOL
}

/// Returns [`Traits::HIDDEN`] if a task that the current task makes now is for a helper, else 0.
/// The exceptions are those of [`pool_trait`], and a task inside a helper's task.
pub fn hidden_trait(thread: &Thread, traits: u32) -> u32 {
    let other = traits & (Traits::DETACHABLE | Traits::PARTS | Traits::TRANSPARENT) != 0;
    let none = settings().helpers.most() == 0 || has_lost_tasks(thread);
    if other || none || thread.task().is_final() || group::reduces(thread) || is_inside(thread) {
        return 0;
    }
    Traits::HIDDEN
}

/// Whether the thread executes all tasks of its region itself, because it has lost some.
fn has_lost_tasks(thread: &Thread) -> bool {
    let team = thread.team();
    team.has_tasks(thread) && team.has_lost_tasks()
}

/// Whether the current task is a part of a task that a helper executes.
fn is_inside(thread: &Thread) -> bool {
    let mut team = Some(thread.team());
    while let Some(at) = team {
        if at.is_agents() && at.slot(0).thread().is_helper() {
            return true;
        }
        team = at.parent();
    }
    false
}

/// Whether a task for agents or helpers may be queued if it is made now.
pub(super) fn may_defer(thread: &Thread, task: &Task) -> bool {
    task.has(Traits::HIDDEN) || has_room(thread)
}

/// Whether the current team's list has room for one more task.
fn has_room(thread: &Thread) -> bool {
    u64::from(thread.team().tasks.listed()) < define::enough(thread) || !settings().throttles_tasks
}

/// Makes a task that agents may execute, as [`create::spawn`] makes one for members.
///
/// # Safety
/// As [`create::spawn`], and by any thread.
#[cold]
pub unsafe fn spawn_in_pool(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    data: *mut c_void,
    caller: Caller,
) {
    spec.traits |= pool_trait(thread, spec.traits);
    let elsewhere = spec.traits & Traits::POOL != 0 && has_room(thread);
    if !elsewhere {
        spec.traits &= !Traits::POOL;
    }
    // SAFETY: the caller's promise.
    unsafe { spawn(thread, task, spec, data, caller, elsewhere) }
}

/// Makes a task that helpers are to execute, as [`create::spawn`] makes one for members.
///
/// # Safety
/// As [`create::spawn`], and by any thread.
#[cold]
pub unsafe fn spawn_hidden(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    data: *mut c_void,
    caller: Caller,
) {
    spec.traits |= hidden_trait(thread, spec.traits);
    let elsewhere = spec.traits & Traits::HIDDEN != 0;
    // SAFETY: the caller's promise.
    unsafe { spawn(thread, task, spec, data, caller, elsewhere) }
}

/// Makes a task. If `elsewhere`, threads outside the team may execute it.
///
/// # Safety
/// As [`create::spawn`].
#[inline(never)]
unsafe fn spawn(
    thread: &'static Thread,
    task: &'static Task,
    spec: Spec,
    data: *mut c_void,
    caller: Caller,
    elsewhere: bool,
) {
    if !elsewhere {
        // SAFETY: the caller's promise.
        return unsafe { create::spawn_rarely(thread, task, spec, data, caller) };
    }
    // SAFETY: the caller's promise.
    let own = unsafe { task.claim() };
    define::define(thread, own, &spec, data, false);
    hooks::created(thread, task, false, caller);
    prepare(thread, own);
    define::count(thread, own);
    queue::enqueue(thread, task);
    hooks::resume(thread.task(), caller);
}

/// Gives a task of the pool, or one for helpers, a priority of at least 1: only tasks with a
/// priority go to lists when they are ready (`queue.rs`).
pub(super) fn prepare(thread: &Thread, task: Owner<'_, Task>) {
    task.priority.set(task, task.priority.get().max(1));
    if thread.team().parent().is_none() {
        finish_at_exit();
    }
}

/// Whether any initial task left a task to agents or helpers.
static LEFT: AtomicBool = AtomicBool::new(false);

/// Waits, before the thread ends, for the tasks that its initial task left to agents and helpers.
pub(crate) fn finish_left_to_others(thread: &'static Thread) {
    if LEFT.load(Ordering::Relaxed)
        && thread.team().parent().is_none()
        && !thread.task().is_explicit()
        && thread.team().has_tasks(thread)
    {
        let team = thread.team();
        let (at, done) = (Constraint::in_barrier(), || presence::quiescent(team));
        scheduling_point::wait_running_tasks(thread, team, at, Reason::ANYTHING, done);
    }
}

/// Makes the program's end do the same for the thread that calls `exit`.
fn finish_at_exit() {
    extern "C" fn finish() {
        if let Some(thread) = Thread::known() {
            finish_left_to_others(thread);
        }
    }
    if !LEFT.swap(true, Ordering::Relaxed) {
        omphalos_sys::process::at_exit(finish);
    }
}
