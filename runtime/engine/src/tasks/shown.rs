//! Executes tasks at once on a prepared record, on their maker's thread, while a tool is attached.
//!
//! As in `unseen.rs`, the record is defined once for each depth and reused, and the rules there
//! hold here too. Tools see a new task each time: its identity is renewed, it has the flags of its
//! construct while it lasts, and tools are told that it is made, begins and ends. It has no entry
//! of [`Running`](crate::records::Running): the task that it interrupts is the task that made it.

use super::unseen::{self, Body};
use super::{define, hooks};
use crate::enable;
use crate::records::{Owner, Task, Thread};
use crate::worksharing::hooks::taskloop_share;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::{Kind, TaskFlags, TaskStatus, tell_tools, wants_any};
use omphalos_sys::entry::Caller;
use omphalos_sys::{debugger, invoke};

/// Executes a task of GCC's form at once on the construct's own data. `flags`: the bits of
/// `ompt_task_flag_t` that the construct adds to those of every such task. An entry stub noted the
/// caller.
///
/// # Safety
/// The body may be called once with `data`; [`may_prepare`](super::may_prepare) holds.
#[inline(never)]
pub unsafe fn call(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    flags: u32,
    caller: Caller,
) {
    let (parent, task) = (thread.task(), unseen::at_hand(thread));
    let plain = task.flags.get();
    // The record is taken before the events: a callback that changes the current task must not give
    // it away.
    unseen::take(thread, task);
    begin(thread, parent, task, body, plain | flags, caller);
    let slot = thread.as_owner().slot();
    let queue = &slot.tasks;
    // In this deque, a wait in the body begins only the tasks above the mark: the body's own.
    let mark = queue.mark.replace(slot, queue.deque.bottom());
    enable::pass(debugger::task_begin);
    // SAFETY: the caller's promise.
    unsafe { invoke::call_with_data(body as *const c_void, data, task.tool.frame.exit.as_ptr()) };
    enable::pass(debugger::task_end);
    let slot = thread.as_owner().slot();
    slot.tasks.mark.set(slot, mark);
    end(thread, parent, task);
    // SAFETY: the task is over, and its record the thread's.
    task.flags.set(unsafe { task.claim() }, plain);
    unseen::end(thread, task, task.parent.get());
    parent.tool.frame.enter.store(0, Ordering::Relaxed);
}

/// Does what [`call`] does, for one task after the other on the same data: a taskloop's shares.
/// `next` prepares the data of the next share, and returns its first value and its number of
/// iterations; `None` if there is none.
///
/// While the bodies leave nothing behind, all share one record: the work that is the same for each
/// is done once, and the record is not the thread's prepared one in between.
///
/// # Safety
/// As [`call`], for each share.
#[inline(always)]
pub unsafe fn call_shares(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    flags: u32,
    caller: Caller,
    mut next: impl FnMut() -> Option<(u64, u64)>,
) {
    let Some(mut share) = next() else { return };
    let parent = thread.task();
    let slot = thread.as_owner().slot();
    let queue = &slot.tasks;
    // In this deque, a wait in the body begins only the tasks above the mark: the body's own.
    let mark = queue.mark.replace(slot, queue.deque.bottom());
    loop {
        let task = unseen::at_hand(thread);
        let plain = task.flags.get();
        unseen::take(thread, task);
        let over = loop {
            begin(thread, parent, task, body, plain | flags, caller);
            taskloop_share(thread, share.0, share.1);
            let exit = task.tool.frame.exit.as_ptr();
            enable::pass(debugger::task_begin);
            // SAFETY: the caller's promise.
            unsafe { invoke::call_with_data(body as *const c_void, data, exit) };
            enable::pass(debugger::task_end);
            end(thread, parent, task);
            let left = task.traits.get() != 0;
            match next() {
                Some(another) => share = another,
                None => break true,
            }
            if left {
                break false;
            }
        };
        // SAFETY: as in `call`.
        task.flags.set(unsafe { task.claim() }, plain);
        unseen::end(thread, task, task.parent.get());
        if over {
            break;
        }
    }
    let slot = thread.as_owner().slot();
    slot.tasks.mark.set(slot, mark);
    parent.tool.frame.enter.store(0, Ordering::Relaxed);
}

/// Does what [`call`] does, for a task that a tool only counts, on the record that [`counted`]
/// gave. The task has no frame for tools. They are told of its end if the thread is not quiet at
/// that time.
///
/// # Safety
/// As [`call`], but a tool is attached.
#[inline(never)]
pub unsafe extern "C" fn call_counted(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    task: &'static Task,
) {
    // SAFETY: the caller's promise.
    unsafe { unseen::execute(thread, body, data, task) };
    let parent = task.parent.get();
    if !thread.notes.tasks.is_on() {
        thread.task.set(thread.as_owner(), parent);
        // SAFETY: a task's parent lives as long as it does.
        hooks::ends_quietly(thread, task, TaskStatus::Complete, unsafe { &*parent });
    }
    unseen::end(thread, task, parent);
}

/// Counts a task made by this call and returns the thread's prepared record, if there is one and
/// the thread is quiet: then [`call_counted`] can execute the task at once.
#[inline(always)]
pub fn counted(thread: &Thread, caller: Caller) -> Option<&'static Task> {
    let prepared = thread.as_owner().prepared().map(Owner::record);
    prepared.filter(|task| hooks::counts(thread, task, caller, true))
}

/// Makes the prepared record a new task, and tells tools that it was made and that it begins.
#[inline(always)]
fn begin(thread: &Thread, parent: &Task, task: &Task, body: Body, flags: u32, caller: Caller) {
    // SAFETY: the thread has taken the record that was prepared for it.
    let own = unsafe { task.claim() };
    task.flags.set(own, flags);
    task.code.set(own, body as *const c_void);
    task.tool.identity.renew(thread.unique_id());
    parent.tool.frame.enter.store(crate::hooks::entered(caller), Ordering::Relaxed);
    if wants_any(SEEN) && !hooks::is_counted(thread, task, caller, true) {
        let alone = if define::is_alone(thread) { TaskFlags::UNDEFERRED } else { 0 };
        tell_tools::task_create(
            &parent.tool,
            &task.tool,
            flags | alone,
            false,
            || task.function(),
            caller.address(),
        );
    }
    thread.task.set(thread.as_owner(), core::ptr::from_ref(task).cast_mut());
    hooks::switch_on(thread, parent, TaskStatus::Switch, task);
}

/// The kinds of the events of such a task before its body.
const SEEN: u64 = Kind::TaskCreate.bit() | Kind::TaskSchedule.bit();

/// Ends the current task, whose body has returned, for tools.
#[inline(always)]
fn end(thread: &Thread, parent: &Task, task: &Task) {
    thread.task.set(thread.as_owner(), core::ptr::from_ref(parent).cast_mut());
    hooks::switch_on(thread, task, TaskStatus::Complete, parent);
}
