//! Executes unseen tasks, at once and on their maker's thread. No tool is attached, nothing can be
//! cancelled, and nothing is copied, so nobody can distinguish such a task from a call.
//!
//! Such a task is executed on a prepared record (`prepared.rs`). If the body did nothing that only
//! a task can do, the record's traits are still 0 at the end, and the record is ready for the next
//! task. Any other body ends as every task ends ([`complete`]).
//!
//! Who calls: the entry points of tasks and taskloops in `capi` ask first whether a task is
//! executed at once ([`goes_first`], [`all_go_first`], [`is_unseen`]), then [`call`] or
//! [`call_row`]. `shown.rs` uses the parts for tasks of which a tool is told.
//!
//! What must hold: only the calling thread uses its prepared record and its deque's `mark`, the end
//! of the deque when the current task began (`find.rs`). A thread that sets the mark for a task
//! sets it back after that task.

use super::complete::complete;
use super::define::{self, Spec};
use super::prepared::{TASKS_BETWEEN_LOOKS, TASKS_TAKEN_BEFORE_ASKING, drop_prepared, may_prepare};
use super::records;
use crate::call::Call;
use crate::records::{Task, Thread};
use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;

const _: () = assert!(define::QUEUED_TASKS_BEFORE_INLINE >= 2 * TASKS_TAKEN_BEFORE_ASKING);

/// The code of a task of GCC's form.
pub type Body = unsafe extern "C" fn(*mut c_void);

/// Whether [`call_row`] may execute a task that its maker executes at once: the call is not
/// watched, and nothing can be cancelled.
#[inline(always)]
pub fn is_unseen(call: impl Call) -> bool {
    !call.is_watched() && may_prepare()
}

/// Returns the prepared record. Makes one if there is none.
#[inline(always)]
pub(super) fn at_hand(thread: &Thread) -> &'static Task {
    match thread.as_owner().prepared() {
        Some(task) => task.record(),
        None => prepare(thread),
    }
}

#[cold]
#[inline(never)]
fn prepare(thread: &Thread) -> &'static Task {
    let task = records::take_own(thread);
    let spec = Spec { code: core::ptr::null(), flags: 0, traits: 0, priority: 0 };
    define::define(thread, task, &spec, core::ptr::null_mut(), true);
    task.record()
}

/// Whether all tasks that the current task makes are executed at once: the thread is alone, or the
/// task is final. If so, entry stubs need not ask again (`ready`).
#[inline(always)]
pub fn all_go_first(thread: &Thread) -> bool {
    let all = define::is_alone(thread) || thread.task().is_final();
    if all {
        thread.tasks.ready.store(i32::MAX, Relaxed);
    }
    all
}

/// Whether a task of this priority that the current task makes now is executed at once, although
/// its construct does not ask for that. Notes in `ready` for how many more tasks the answer holds,
/// and counts these and this one as executed at once.
#[inline]
pub fn goes_first(thread: &Thread, priority: i32) -> bool {
    if all_go_first(thread) {
        return true;
    }
    let tasks = &thread.tasks;
    let queues = define::may_queue(thread, priority);
    tasks.ready.store(if queues { 0 } else { TASKS_BETWEEN_LOOKS }, Relaxed);
    if !queues {
        tasks.count_at_once(TASKS_BETWEEN_LOOKS as u32 + 1);
    }
    !queues
}

/// Executes a task of GCC's form at once, with the construct's own data in place of a copy. No
/// event of the task is told. Entry stubs jump to this function.
///
/// # Safety
/// The body may be called once with `data`; `task` is the thread's prepared record; no tool is
/// attached.
#[inline(never)]
pub unsafe extern "C" fn call(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    task: &'static Task,
) {
    // SAFETY: the caller's promise.
    unsafe { execute(thread, body, data, task) };
    end(thread, task, task.parent.get());
}

/// Runs the body of a task on the thread's prepared record.
///
/// # Safety
/// As [`call`].
#[inline(always)]
pub(super) unsafe fn execute(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    task: &'static Task,
) {
    let slot = thread.as_owner().slot();
    let queue = &slot.tasks;
    // In this deque, a wait in the body begins only the tasks above the mark: the body's own.
    let mark = queue.mark.replace(slot, queue.deque.bottom());
    begin(thread, task, body);
    // SAFETY: the caller's promise.
    unsafe { body(data) };
    let slot = thread.as_owner().slot();
    slot.tasks.mark.set(slot, mark);
}

/// Makes the thread's prepared record the current task, whose code is `body`.
#[inline(always)]
pub(super) fn begin(thread: &Thread, task: &Task, body: Body) {
    take(thread, task);
    thread.task.set(thread.as_owner(), core::ptr::from_ref(task).cast_mut());
    let own = thread.as_owner().task();
    task.code.set(own, body as *const c_void);
}

/// Takes the thread's prepared record for a task. The next prepared record is the one that the
/// task's `data` keeps for a child of its own; null if none was prepared yet.
#[inline(always)]
pub(super) fn take(thread: &Thread, task: &Task) {
    thread.tasks.prepared.set(thread.as_owner(), task.data.get().cast());
}

/// Ends the current task, and makes `parent` current again. If the task left nothing, its record
/// becomes the prepared one again, and keeps the record of its child in `data`.
#[inline(always)]
pub(super) fn end(thread: &'static Thread, task: &'static Task, parent: *mut Task) {
    thread.task.set(thread.as_owner(), parent);
    // SAFETY: the calling thread executed it, and keeps its record.
    let own = unsafe { task.claim() };
    if !own.leaves_something() {
        task.data.set(own, thread.tasks.prepared.get().cast_mut().cast());
        thread.tasks.prepared.set(thread.as_owner(), task);
    } else {
        finish(thread, task);
    }
}

/// Executes tasks of GCC's form one after the other on the same data: one, and then one more each
/// time `another` returns true. `another` sets the data for the next task.
///
/// # Safety
/// The body may be called once with `data`, and again each time after `another` returned true;
/// [`is_unseen`] holds.
#[inline(always)]
pub unsafe fn call_row(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    mut another: impl FnMut() -> bool,
) {
    let parent = thread.task.get();
    let slot = thread.as_owner().slot();
    let queue = &slot.tasks;
    // The mark is as in [`execute`]. Often nothing was queued since it was set: then it stays.
    let (mark, bottom) = (queue.mark.get(), queue.deque.bottom());
    if mark != bottom {
        queue.mark.set(slot, bottom);
    }
    loop {
        let task = at_hand(thread);
        // SAFETY: the calling thread executes it.
        let own = unsafe { task.claim() };
        begin(thread, task, body);
        // Repeats while the body leaves nothing behind.
        let over = loop {
            // SAFETY: the caller's promise.
            unsafe { body(data) };
            if own.leaves_something() {
                break false;
            }
            if !another() {
                break true;
            }
        };
        end(thread, task, parent);
        if over || !another() {
            break;
        }
    }
    if mark != bottom {
        queue.mark.set(slot, mark);
    }
}

/// Ends a task whose body left something behind.
#[cold]
#[inline(never)]
fn finish(thread: &'static Thread, task: &'static Task) {
    drop_prepared(thread);
    complete(thread, task);
}
