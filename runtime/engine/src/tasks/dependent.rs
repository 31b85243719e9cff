//! Makes tasks with dependences, and waits for dependences.
//!
//! Who calls: `capi`. `depend/` has the order of the siblings.

use super::constraint::Constraint;
use super::define::{self, Spec};
use super::depend::{self, Depend, is_first, tell_dependences};
use super::{create, elsewhere, hooks, queue, run, scheduling_point, wait};
use crate::call::Call;
use crate::records::{Task, Thread, Traits};
use crate::waiting::Reason;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, State, SyncKind, TaskFlags, TaskStatus};
use omphalos_settings::settings;
use omphalos_sys::entry::Caller;

/// Makes a task with dependences. The payload of its record is filled. `may_wait`: the `if` clause
/// is true.
///
/// # Safety
/// The code may be called once with `data`, by any thread of the team (of the pool: by any thread),
/// later. The record came from [`define::allocate`] and has become no task yet.
#[inline(never)]
pub unsafe fn spawn_after(
    thread: &'static Thread,
    task: &'static Task,
    spec: Spec,
    data: *mut c_void,
    list: &[Depend],
    may_wait: bool,
    caller: Caller,
) {
    // SAFETY: the caller's promise.
    unsafe { spawn_after_as(thread, task, spec, data, list, may_wait, caller) }
}

/// Does what [`spawn_after`] does, with a copy of the code for each kind of call.
///
/// # Safety
/// As [`spawn_after`].
pub unsafe fn spawn_after_as(
    thread: &'static Thread,
    task: &'static Task,
    spec: Spec,
    data: *mut c_void,
    list: &[Depend],
    may_wait: bool,
    caller: impl Call,
) {
    let parent = thread.as_owner().task();
    if !may_wait || define::includes(thread) {
        wait_for(thread, list, caller.caller());
        // SAFETY: the caller's promise.
        return unsafe { call_behind(thread, task, spec, data, list, caller.caller()) };
    }
    // SAFETY: the caller's promise.
    let own = unsafe { task.claim() };
    define::define(thread, own, &spec, data, false);
    hooks::created(thread, task, !list.is_empty(), caller);
    if caller.is_watched() {
        tell_dependences(task, list);
    }
    let pool = task.has(Traits::POOL | Traits::HIDDEN);
    if pool {
        elsewhere::prepare(thread, own);
    }
    const LEFT: u32 = Traits::DETACHABLE | Traits::POOL | Traits::HIDDEN | Traits::TRANSPARENT;
    if !is_first(thread) || task.has(LEFT) {
        let entered = depend::enter(thread, parent, own, list);
        let may_defer =
            if pool { elsewhere::may_defer(thread, task) } else { define::may_defer(thread) };
        if entered.may_wait() || may_defer {
            // The task is counted before another thread can make it ready, or run it.
            define::count(thread, own);
        }
        if !entered.is_ready() {
            limit(thread, parent.record(), spec.code);
            return hooks::resume(&parent, caller);
        }
        if may_defer {
            queue::enqueue(thread, task);
            return hooks::resume(&parent, caller);
        }
    }
    create::execute_now(thread, task, caller);
}

/// Executes an undeferred task that has waited for its dependences.
///
/// # Safety
/// As [`spawn_after`].
#[cold]
#[inline(never)]
unsafe fn call_behind(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    data: *mut c_void,
    list: &[Depend],
    caller: Caller,
) {
    thread.tasks.count_at_once(1);
    spec.flags |= TaskFlags::UNDEFERRED;
    // SAFETY: the caller's promise.
    let own = unsafe { task.claim() };
    let is_transparent = spec.traits & Traits::TRANSPARENT != 0 && !define::includes(thread);
    define::define(thread, own, &spec, data, create::is_within(&spec) && !is_transparent);
    hooks::created_behind(thread, task, depend::as_written(list), caller);
    if is_transparent {
        depend::begin_transparent(thread, own);
    }
    create::execute_now(thread, task, caller);
}

/// The number of waiting children beyond which their maker executes tasks itself: the first if the
/// other members complete tasks fast, the second if they complete any at all.
const WAITING_CHILDREN_BEFORE_RUNNING: i64 = 1024;
const MANY_WAITING_CHILDREN: i64 = 8192;
/// The tasks in a row, over which the maker compares what it makes and what completes. The other
/// members are fast if they complete one task for each [`TASKS_MADE_FOR_ONE`] of them.
const TASKS_BEFORE_LOOKING: u32 = 256;
const TASKS_MADE_FOR_ONE: i64 = 8;

/// Executes some tasks on the thread that makes them, if it makes them faster than they complete.
/// So the tasks fit the caches, and memory stays bounded. While the maker executes a task, it makes
/// none for the other members, and the task may even wait for something that its maker does next.
/// So the maker first makes sure that the others complete tasks, and it executes only tasks of the
/// construct that it is at: with this `code`. If the others complete none, it goes on making tasks.
/// (A limit that the user set holds whatever the others do.)
fn limit(thread: &'static Thread, parent: &'static Task, code: *const c_void) {
    let waiting = parent.children.outstanding(thread);
    if let Some(most) = settings().task_limits.children {
        if waiting > most && settings().throttles_tasks {
            run_until(thread, parent, most, code);
        }
        return;
    }
    if waiting > WAITING_CHILDREN_BEFORE_RUNNING && others_get_on(thread, waiting) {
        run_until(thread, parent, waiting / 2, code);
    }
}

/// Whether the other members complete tasks fast enough, while `waiting` are outstanding. The
/// answer can be true only at the end of a row of tasks.
fn others_get_on(thread: &Thread, waiting: i64) -> bool {
    let (made, before) = thread.tasks.row.get();
    if made == 0 || waiting < before {
        thread.tasks.row.set(thread.as_owner(), (1, waiting));
        return false;
    }
    let is_whole = made == TASKS_BEFORE_LOOKING;
    thread.tasks.row.set(thread.as_owner(), (if is_whole { 0 } else { made + 1 }, before));
    let complete = i64::from(made) - (waiting - before);
    let enough = if waiting > MANY_WAITING_CHILDREN { made.into() } else { TASKS_MADE_FOR_ONE };
    is_whole && complete * enough >= i64::from(made)
}

#[cold]
fn run_until(thread: &'static Thread, parent: &'static Task, waiting: i64, code: *const c_void) {
    while parent.children.outstanding(thread) > waiting {
        if !run::run_one_like(thread, thread.team(), Constraint::in_task(parent), code) {
            break;
        }
    }
}

/// Waits until all siblings are complete for which a task with these dependences would wait
/// (`taskwait depend`, undeferred tasks).
///
/// Tools are shown the wait as a task of its own: it is created with the dependences and completes
/// when they are fulfilled.
pub fn wait_for(thread: &'static Thread, list: &[Depend], caller: Caller) {
    if !omphalos_events::active() || list.is_empty() {
        return wait_as(thread, list, None, caller);
    }
    let task = define::allocate(thread, 0);
    // SAFETY: just allocated.
    let own = unsafe { task.claim() };
    let flags = WAIT_FLAGS;
    define::define(
        thread,
        own,
        &Spec { code: core::ptr::null(), flags, traits: 0, priority: 0 },
        core::ptr::null_mut(),
        true,
    );
    task.flags.set(own, flags);
    standing_in(thread, task, || {
        hooks::created(thread, task, true, caller);
        tell_dependences(task, list);
        wait_as(thread, list, Some(task), caller);
        hooks::switch(task, TaskStatus::TaskwaitComplete, None);
    });
    hooks::resume(thread.task(), caller);
    define::cancel_allocation(thread, task);
}

/// Notes for the dialects that this task is not one of the program's tasks, while `tell` tells of
/// it.
fn standing_in(thread: &Thread, task: &Task, tell: impl FnOnce()) {
    let stand_in = &thread.notes.stand_in;
    let outer = stand_in.swap(core::ptr::from_ref(&task.tool).cast_mut(), Ordering::Relaxed);
    tell();
    stand_in.store(outer, Ordering::Relaxed);
}

/// The flags by which tools recognise the task of a `taskwait depend`.
const WAIT_FLAGS: u32 = TaskFlags::TASKWAIT | TaskFlags::UNDEFERRED | TaskFlags::MERGEABLE;

/// Waits for these dependences. `shown`: the task that stands for the wait, if a tool is attached.
fn wait_as(thread: &'static Thread, list: &[Depend], shown: Option<&Task>, caller: Caller) {
    depend::wait_behind(thread, list, shown, |wanted, ready| {
        wait::silently(thread, State::WAIT_TASKWAIT, caller, |constraint| {
            // Tools of 2013 and 2016, which do not know this task, are told of a wait instead.
            let told = shown.is_some() && hooks::wants_breaks();
            if told {
                hooks::wait_break(thread, SyncKind::Taskwait, Endpoint::End);
            }
            wait::wanting(thread, wanted, || {
                let team = thread.team();
                let reason = Reason::ANYTHING;
                scheduling_point::wait_running_tasks(thread, team, constraint, reason, ready);
            });
            if told {
                hooks::wait_break(thread, SyncKind::Taskwait, Endpoint::Begin);
            }
        });
    });
}

/// Makes an empty task with these dependences (`taskwait depend nowait`). Tools are not told that
/// it executes: to them it completes when its dependences are fulfilled.
pub fn spawn_empty(thread: &'static Thread, list: &[Depend], caller: Caller) {
    extern "C" fn nothing(_: *mut c_void) {}
    let task = define::allocate(thread, 0);
    let code = nothing as *const c_void;
    let flags = TaskFlags::TASKWAIT | TaskFlags::MERGEABLE;
    let spec = Spec { code, flags, traits: 0, priority: 0 };
    standing_in(thread, task, || {
        // SAFETY: the function does nothing.
        unsafe { spawn_after(thread, task, spec, core::ptr::null_mut(), list, true, caller) };
    });
}
