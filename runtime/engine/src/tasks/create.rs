//! Makes tasks: a task goes into a queue, or its maker executes it at once.
//!
//! The maker executes a task at once if the `if` clause is false or the parent is final. Then the
//! task is undeferred, and tools are told so. The maker also executes it at once if no other thread
//! could run it or enough tasks are queued. The making of a task is a task scheduling point, and a
//! thread may always begin a child of its current task.

use super::define::{Spec, count, define, includes, is_alone, may_queue};
use super::{depend, detach, execute, group, hooks, prepared, presence, queue};
use crate::call::Call;
use crate::records::{Owner, Task, Thread, Traits};
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::TaskFlags;
use omphalos_sys::entry::Caller;

/// Makes a task without dependences. The payload of its record is filled.
///
/// # Safety
/// The code may be called once with `data`, by any thread of the team, later. The record came from
/// [`allocate`](super::define::allocate) and has become no task yet.
#[inline(always)]
pub unsafe fn spawn(
    thread: &'static Thread,
    task: &'static Task,
    spec: Spec,
    data: *mut c_void,
    caller: impl Call,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if may_queue(thread, spec.priority) {
            defer(thread, task, spec, data, caller);
        } else {
            call(thread, task, spec, data, includes(thread), caller);
        }
    }
}

/// Queues a task as [`spawn`] does, after [`may_queue`] returned true.
///
/// # Safety
/// As [`spawn`].
#[inline(always)]
pub unsafe fn defer(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    data: *mut c_void,
    caller: impl Call,
) {
    spec.traits |= Traits::COUNTED;
    // SAFETY: the caller's promise.
    define(thread, unsafe { task.claim() }, &spec, data, false);
    hooks::created(thread, task, false, caller);
    let parent = thread.as_owner().task();
    parent.add_child(thread);
    // SAFETY: null or the group that the parent is in.
    if let Some(group) = unsafe { task.group.get().as_ref() } {
        group.count.add(thread);
    }
    presence::count_made(thread);
    queue::enqueue(thread, task);
    hooks::resume(&parent, caller);
}

/// Executes a task at once, inside the current task. `undeferred`: the construct asks for that.
///
/// # Safety
/// The code may be called once with `data`. The record came from [`allocate`](super::allocate) and
/// has become no task yet.
#[inline(always)]
pub unsafe fn call(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    data: *mut c_void,
    undeferred: bool,
    caller: impl Call,
) {
    // A thief judges by this count how fast the thread is alone (`spare.rs`).
    thread.tasks.count_at_once(1);
    if undeferred {
        spec.flags |= TaskFlags::UNDEFERRED;
    }
    // SAFETY: the caller's promise.
    define(thread, unsafe { task.claim() }, &spec, data, is_within(&spec));
    hooks::created(thread, task, false, caller);
    execute_now(thread, task, caller);
}

/// Does what [`spawn`] does, for constructs that programs seldom run. It is compiled once. The
/// functions above are inlined into each construct that calls them, and take a kilobyte or two
/// there.
///
/// # Safety
/// As [`spawn`].
#[inline(never)]
pub unsafe fn spawn_rarely(
    thread: &'static Thread,
    task: &'static Task,
    spec: Spec,
    data: *mut c_void,
    caller: Caller,
) {
    // SAFETY: the caller's promise.
    unsafe { spawn(thread, task, spec, data, caller) }
}

/// Does what [`call`] does, for constructs that programs seldom run.
///
/// # Safety
/// As [`call`].
#[inline(never)]
pub unsafe fn call_rarely(
    thread: &'static Thread,
    task: &'static Task,
    spec: Spec,
    data: *mut c_void,
    undeferred: bool,
    caller: Caller,
) {
    // SAFETY: the caller's promise.
    unsafe { call(thread, task, spec, data, undeferred, caller) }
}

/// Whether a task that its maker executes at once is over when the call that makes it returns.
#[inline(always)]
pub(super) fn is_within(spec: &Spec) -> bool {
    spec.traits & (Traits::DETACHABLE | Traits::PARTS) == 0
}

/// Executes a defined task at once, inside the current task, unless it has to be discarded.
#[inline(always)]
pub(super) fn execute_now(thread: &'static Thread, task: &'static Task, call: impl Call) {
    let parent = thread.task();
    if group::discards(task) {
        execute::discard(thread, task, parent);
    } else {
        execute::run(thread, task, call);
    }
    hooks::resume(parent, call);
}

/// Begins an undeferred task whose body the program itself calls (LLVM's `if(0)`). Inlined into its
/// one caller, an entry: for the shortest task a call would be a large part of the cost.
///
/// # Safety
/// The record came from [`allocate`](super::allocate) and has become no task yet.
#[inline(always)]
pub unsafe fn begin_undeferred(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    data: *mut c_void,
    caller: impl Call,
) {
    // The code that follows in the program may fulfil the event of a detachable task, and that
    // completes the task. The program does not wait for this at the construct, so the task is not
    // undeferred.
    if spec.traits & Traits::DETACHABLE == 0 {
        spec.flags |= TaskFlags::UNDEFERRED;
    }
    // SAFETY: the caller's promise.
    let own = unsafe { task.claim() };
    define(thread, own, &spec, data, is_within(&spec));
    detach::created_behind_wait(thread, task, caller);
    prepared::drop_prepared(thread);
    if spec.traits & (Traits::TRANSPARENT | Traits::DETACHABLE) != 0 {
        begin_among_siblings(thread, own);
    }
    let parent = thread.task();
    thread.task.set(thread.as_owner(), core::ptr::from_ref(task).cast_mut());
    if caller.is_watched() {
        hooks::switch_on(thread, parent, omphalos_events::TaskStatus::Switch, task);
        crate::hooks::runs_in_line(&parent.tool, &task.tool, caller.caller());
        crate::enable::pass(omphalos_sys::debugger::task_begin);
    }
}

/// Enters the task of [`begin_undeferred`] among its siblings, if later siblings may have to wait
/// for something that it leaves.
#[cold]
#[inline(never)]
fn begin_among_siblings(thread: &'static Thread, task: Owner<'static, Task>) {
    let waited_for = match task.has(Traits::DETACHABLE) {
        true => detach::take_waited_for(thread),
        false => Vec::new(),
    };
    if !waited_for.is_empty() {
        depend::enter_behind_wait(thread, task, &waited_for);
    } else if task.has(Traits::TRANSPARENT) {
        depend::begin_transparent(thread, task);
    }
}

/// Ends the task of [`begin_undeferred`], whose body has returned. Inlined for the same reason.
#[inline(always)]
pub fn end_undeferred(thread: &'static Thread, task: &'static Task, call: impl Call) {
    if call.may_be_watched() {
        crate::enable::pass(omphalos_sys::debugger::task_end);
    }
    crate::hooks::ran_in_line(&task.tool);
    // SAFETY: the parent of an undeferred task is suspended below it.
    let parent = unsafe { &*task.parent.get() };
    execute::leave(thread, task, parent, call);
    hooks::resume(parent, call);
}

/// Queues the next part of the current task, which runs in parts.
pub fn respawn(thread: &'static Thread, task: &'static Task) {
    if !is_alone(thread) && task.flags.get() & TaskFlags::UNDEFERRED == 0 {
        // SAFETY: the thread executes the task, and no other thread begins its next part yet.
        count(thread, unsafe { task.claim() });
        task.parts.fetch_add(1, Ordering::AcqRel);
        // The current part is about to return: only the frame of the next one counts.
        task.tool.frame.exit.store(0, Ordering::Relaxed);
        if omphalos_events::active() {
            execute::hand_on(thread, task);
        }
        queue::enqueue(thread, task);
    } else {
        // No other thread may take it, or the maker waits for the task's end: the next part runs
        // inside this call.
        task.parts.fetch_add(1, Ordering::AcqRel);
        execute::run(thread, task, Caller::NONE);
    }
}
