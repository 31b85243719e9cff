//! Executes a task, from the switch to it to its completion.
//!
//! What must hold: while a task executes, it is `Thread::task`. The thread goes back to the earlier
//! task before the first step of completion, so a signal handler never sees a task whose record is
//! being given back.

use super::complete::{complete, complete_discarded, complete_rarely};
use super::constraint::Constraint;
use super::split::Part;
use super::{define, depend, group, hooks, prepared, presence, scheduling_point, split, taskloop};
use crate::call::{Call, Quiet, Unwatched};
use crate::enable;
use crate::records::{Running, Task, Thread, Traits};
use crate::waiting::Reason;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, State, TaskFlags, TaskStatus};
use omphalos_sync::completion::{self, BODY, EVENT};
use omphalos_sys::entry::Caller;
use omphalos_sys::{debugger, invoke};

/// Executes a task that came out of a queue.
pub(super) fn queued(thread: &'static Thread, task: &'static Task) {
    let is_ticket = task.has(Traits::TICKET);
    if !is_ticket && group::discards(task) && !has_begun(task) {
        return discard_queued(thread, task);
    }
    let state = thread.replace_state(state_inside(thread));
    if is_ticket {
        split::help(thread, task);
    } else {
        begin(thread, task, state);
    }
    thread.set_state(state);
}

/// Executes a task, and tells the tools that want its events. `state`: the thread's state before.
#[inline(always)]
fn begin(thread: &'static Thread, task: &'static Task, state: State) {
    if !omphalos_events::active() {
        run(thread, task, Unwatched(thread));
    } else if hooks::keeps_quiet(thread) && !task.has(Traits::PARTS) && !hooks::wants_breaks() {
        // A task that queues its own next part needs its entry on the stack of tasks (`hand_on`).
        run(thread, task, Quiet(thread));
    } else {
        watched(thread, task, state);
    }
}

/// Does what [`run`] does, where tools may want the events. `state`: the thread's state before.
#[inline(never)]
fn watched(thread: &'static Thread, task: &'static Task, state: State) {
    outside_of_wait(thread, state, || run(thread, task, Caller::NONE));
}

/// Discards a task that came out of a queue.
#[cold]
fn discard_queued(thread: &'static Thread, task: &'static Task) {
    let state = thread.replace_state(state_inside(thread));
    outside_of_wait(thread, state, || discard(thread, task, thread.task()));
    thread.set_state(state);
}

/// Returns the state of a thread that executes a task.
#[inline(always)]
fn state_inside(thread: &Thread) -> State {
    if thread.team().level.get() == 0 { State::WORK_SERIAL } else { State::WORK_PARALLEL }
}

/// Runs `happens`, which is no part of the wait in which the thread took the task. `state`: the
/// thread's state before.
#[inline(always)]
fn outside_of_wait(thread: &Thread, state: State, happens: impl FnOnce()) {
    let broken = if hooks::wants_breaks() { hooks::wait_in(state) } else { None };
    if let Some(kind) = broken {
        hooks::wait_break(thread, kind, Endpoint::Begin);
    }
    happens();
    if let Some(kind) = broken {
        thread.set_state(state);
        hooks::wait_break(thread, kind, Endpoint::End);
    }
}

/// Whether a part of the task has been executed.
fn has_begun(task: &Task) -> bool {
    // SAFETY: tasks that run in parts are LLVM's, whose payload has the part number at byte 16.
    task.has(Traits::PARTS) && unsafe { task.payload().byte_add(16).cast::<i32>().read() } != 0
}

/// Executes a task now, on the calling thread.
#[inline(always)]
pub(super) fn run(thread: &'static Thread, task: &'static Task, call: impl Call) {
    let prior = thread.task();
    prepared::drop_prepared(thread);
    let slot = thread.as_owner().slot();
    let queue = &slot.tasks;
    let mark = queue.mark.replace(slot, queue.deque.bottom());
    let below = thread.tasks.running.get();
    let running = Running { task, prior, below };
    // The next part of a task that runs in parts may run inside the earlier part: that is no
    // switch.
    if call.is_watched() && !core::ptr::eq(prior, task) {
        if task.flags.get() & TaskFlags::TASKWAIT != 0 {
            queue.mark.set(slot, mark);
            return fulfilled(thread, task);
        }
        let yields = thread.tasks.yields.replace(thread.as_owner(), false);
        let status = if yields { TaskStatus::Yield } else { TaskStatus::Switch };
        thread.tasks.running.set(thread.as_owner(), &raw const running);
        thread.task.set(thread.as_owner(), core::ptr::from_ref(task).cast_mut());
        hooks::switch_on(thread, prior, status, task);
        if task.has(Traits::CHUNK) {
            taskloop::tell_chunk(thread, task);
        }
    }
    thread.task.set(thread.as_owner(), core::ptr::from_ref(task).cast_mut());
    if call.is_watched() && !has_begun(task) {
        enable::pass(debugger::task_begin);
    }
    body(thread, task, task.code.get());
    if call.is_watched() {
        // If a task runs in parts, the thread has already left each part but the last (`hand_on`),
        // or the next part ran inside it.
        if core::ptr::eq(thread.task.get(), task) && !core::ptr::eq(prior, task) {
            enable::pass(debugger::task_end);
        }
        thread.tasks.running.set(thread.as_owner(), below);
    }
    queue.mark.set(slot, mark);
    leave(thread, task, prior, call);
}

/// Completes an empty task that stands for a `taskwait depend nowait`. Tools are told that its
/// dependences are fulfilled, not that it begins.
#[cold]
#[inline(never)]
fn fulfilled(thread: &'static Thread, task: &'static Task) {
    hooks::switch(task, TaskStatus::TaskwaitComplete, None);
    complete_rarely(thread, task);
}

#[inline(always)]
fn body(thread: &Thread, task: &Task, code: *const c_void) {
    let (data, exit) = (task.data.get(), task.tool.frame.exit.as_ptr());
    let traits = task.traits.get();
    // SAFETY: the task's maker promised that the code may be called with this data.
    unsafe {
        if traits & Traits::PARTS != 0 {
            invoke::call_task_part(code, thread.gtid, data, exit);
        } else if traits & Traits::ENTRY != 0 {
            invoke::call_task_entry(code, thread.gtid, data, exit);
        } else {
            invoke::call_with_data(code, data, exit);
        }
    }
}

/// Goes back to `prior`, because the body has returned. Completes the task, unless its event or
/// another part of it is outstanding.
#[inline(always)]
pub(super) fn leave(
    thread: &'static Thread,
    task: &'static Task,
    prior: &'static Task,
    call: impl Call,
) {
    prepared::drop_prepared(thread);
    let mut told = false;
    if task.has(Traits::DETACHABLE | Traits::DESTRUCTORS | Traits::PARTS) {
        let ended = body_ended(thread, task, prior);
        if ended == Ended::Not {
            thread.task.set(thread.as_owner(), core::ptr::from_ref(prior).cast_mut());
            return;
        }
        told = ended == Ended::Told;
    }
    thread.task.set(thread.as_owner(), core::ptr::from_ref(prior).cast_mut());
    if (call.is_quiet() || call.is_watched()) && !told {
        let cancelled = task.has(Traits::CANCELLED);
        let status = if cancelled { TaskStatus::Cancel } else { TaskStatus::Complete };
        match call.is_quiet() {
            true => hooks::ends_quietly(thread, task, status, prior),
            false => hooks::ends(thread, task, status, prior),
        }
    }
    complete(thread, task);
}

/// The answer whether a task is complete once its body, or a part of it, has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// No. Another thread may already have completed it.
    Not,
    /// Yes.
    Now,
    /// Yes, and tools have been told.
    Told,
}

/// Ends the body of a task with an event, with destructors or with parts.
#[inline(never)]
fn body_ended(thread: &'static Thread, task: &'static Task, prior: &'static Task) -> Ended {
    let mut ended = Ended::Now;
    if task.has(Traits::PARTS) {
        // With a tool, the thread left the task when the task queued its next part.
        let handed_on = !core::ptr::eq(thread.task.get(), task);
        let left = task.parts.load(Ordering::Acquire) > 1;
        if left && !handed_on && !core::ptr::eq(prior, task) {
            // The last part has ended while another thread is still returning from an earlier one.
            // Tools are told before the count is changed, because afterwards the other thread may
            // complete the task.
            let detached =
                task.has(Traits::DETACHABLE) && task.ends.load(Ordering::Acquire) & EVENT == 0;
            let status = if detached { TaskStatus::Detach } else { TaskStatus::Complete };
            tell_left(thread, task, status, prior);
            ended = Ended::Told;
        }
        if handed_on {
            ended = Ended::Told;
        }
        if task.parts.fetch_sub(1, Ordering::AcqRel) != 1 {
            return Ended::Not;
        }
    }
    destroy_private(thread, task);
    if !task.has(Traits::DETACHABLE) {
        return ended;
    }
    if task.has(Traits::NODE) {
        depend::body_ended(thread, task);
    }
    if task.flags.get() & TaskFlags::UNDEFERRED != 0 {
        // The encountering task continues when this one is complete. Its descendants may begin
        // meanwhile: one of them may fulfil the event.
        completion::happened(&task.ends, BODY);
        // By reference, as in other rare waits, so that the compiler makes one function for all of
        // them.
        let fulfilled: &dyn Fn() -> bool = &|| task.ends.load(Ordering::SeqCst) & EVENT != 0;
        let constraint = Constraint::in_task(prior);
        let team = thread.team();
        presence::open(team);
        let reason = Reason::ANYTHING;
        scheduling_point::wait_running_tasks(thread, team, constraint, reason, fulfilled);
        presence::close(team);
        return ended;
    }
    // SAFETY: the thread has executed the task, and the event cannot complete it yet.
    let own = unsafe { task.claim() };
    define::count(thread, own);
    // This comes before the event can find the body ended. The thread that fulfils the event
    // completes the task, even while children are outstanding.
    own.children.give_up(thread);
    own.add_traits(Traits::OPEN);
    presence::hold_open(thread.team(), task);
    let before = if ended == Ended::Now && hooks::wants_schedule() {
        completion::happened_and_told(&task.ends, BODY, |before| {
            if before & EVENT == 0 {
                tell_left(thread, task, TaskStatus::Detach, prior);
            }
        })
    } else {
        completion::happened(&task.ends, BODY)
    };
    if before & EVENT != 0 { ended } else { Ended::Not }
}

/// Runs the destructors of the task's private objects: the task is not executed again, or will
/// never be.
fn destroy_private(thread: &Thread, task: &Task) {
    if task.has(Traits::DESTRUCTORS) {
        // SAFETY: LLVM's task has the address of its destructors at byte 24.
        let destructors = unsafe { task.data.get().byte_add(24).cast::<*const c_void>().read() };
        if !destructors.is_null() {
            body(thread, task, destructors);
        }
    }
}

/// Tells tools that the thread has left the task, in the context of the interrupted task `prior`.
/// The task's entry on the stack of tasks is gone.
#[cold]
#[inline(never)]
fn tell_left(
    thread: &'static Thread,
    task: &'static Task,
    status: TaskStatus,
    prior: &'static Task,
) {
    let current = thread.task.get();
    thread.task.set(thread.as_owner(), core::ptr::from_ref(prior).cast_mut());
    hooks::switch(task, status, Some(prior));
    thread.task.set(thread.as_owner(), current);
}

/// Makes the thread return to the interrupted task, for tools, when the current task runs in parts
/// and is about to queue its next part. This part only has to return. Another thread may begin the
/// next part afterwards.
#[cold]
pub(super) fn hand_on(thread: &'static Thread, task: &'static Task) {
    // SAFETY: null, or the entry of `run` on the thread's own stack.
    let running = unsafe { thread.tasks.running.get().as_ref() };
    if let Some(running) = running.filter(|running| core::ptr::eq(running.task, task)) {
        // SAFETY: a task that was interrupted lives until the thread goes back to it.
        let prior = unsafe { &*running.prior };
        thread.tasks.running.set(thread.as_owner(), running.below);
        thread.task.set(thread.as_owner(), running.prior.cast_mut());
        hooks::switch(task, TaskStatus::Switch, Some(prior));
    }
}

/// Discards a task of a cancelled group or region that has not begun. Its private objects exist and
/// are destroyed.
#[cold]
pub(super) fn discard(thread: &'static Thread, task: &'static Task, prior: &'static Task) {
    hooks::discarded(thread, prior, task);
    destroy_private(thread, task);
    if task.has(Traits::DETACHABLE) {
        complete_discarded(thread, task);
    } else {
        complete_rarely(thread, task);
    }
}

/// Executes a task on the calling thread, which is no member of the task's team. `state`: the
/// thread's state meanwhile.
pub(crate) fn for_others(thread: &'static Thread, task: &'static Task, state: State) {
    let prior = thread.task();
    if group::discards(task) {
        discard(thread, task, prior);
    } else {
        thread.set_state(state);
        run(thread, task, Caller::NONE);
    }
}

impl Part {
    /// Executes a task that [`Part::define`] made.
    ///
    /// # Safety
    /// The code may be called once with the data.
    #[inline(always)]
    pub unsafe fn execute(&self, thread: &'static Thread, task: &'static Task) {
        match self.is_counted() {
            false => run(thread, task, Unwatched(thread)),
            true => begin(thread, task, State::WORK_PARALLEL),
        }
    }
}
