//! Tasks that are executed at once while a tool listens: on a record that is prepared.
//!
//! As in `unseen.rs`, the record is defined once for each depth and used again, and what holds there
//! holds here. To tools each task is a new one: its identity is renewed, its flags are the construct's
//! while it lasts, and they hear of its making, its begin and its end. There is no entry of
//! [`Running`](super::execute::Running) for it: it interrupts the task that made it.

use super::unseen::{self, Body};
use super::{hooks, taskloop};
use crate::thread::Thread;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::TaskStatus;
use omphalos_sys::entry::Caller;
use omphalos_sys::invoke;

/// Executes a task of GCC's form at once on the construct's own data. `flags`: what the construct adds
/// to the bits of `ompt_task_flag_t` that every such task has.
///
/// # Safety
/// The body may be called once with `data`; [`unseen::may_prepare`] holds.
#[inline(never)]
pub unsafe fn call(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    flags: u32,
    caller: Caller,
) {
    // SAFETY: the caller's promise.
    unsafe { call_with(thread, body, data, flags, caller, || ()) };
}

/// As [`call`], for a taskloop's share of iterations: the first one's value and how many.
///
/// # Safety
/// As [`call`].
#[inline(never)]
pub unsafe fn call_share(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    flags: u32,
    (first, count): (u64, u64),
    caller: Caller,
) {
    let begun = || taskloop::tell_share(thread, first, count);
    // SAFETY: the caller's promise.
    unsafe { call_with(thread, body, data, flags, caller, begun) };
}

/// `begun` is called in the task before its body.
///
/// # Safety
/// As [`call`].
#[inline(always)]
unsafe fn call_with(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    flags: u32,
    caller: Caller,
    begun: impl FnOnce(),
) {
    let parent = thread.task();
    let task = unseen::at_hand(thread);
    let plain = task.flags.get();
    task.flags.set(plain | flags);
    task.code.set(body as *const c_void);
    hooks::tell_created(thread, task, false, caller);
    hooks::switch_on(thread, parent, TaskStatus::Switch, task);
    let queue = &thread.slot().tasks;
    // The program calls this, and while it runs there is no constraint.
    let mark = queue.mark.replace(queue.deque.bottom());
    unseen::begin(thread, task, body);
    begun();
    // SAFETY: the caller's promise.
    unsafe { invoke::call_with_data(body as *const c_void, data, task.tool.frame.exit.as_ptr()) };
    thread.slot().tasks.mark.set(mark);
    thread.task.set(core::ptr::from_ref(parent).cast_mut());
    hooks::switch_on(thread, task, TaskStatus::Complete, parent);
    task.flags.set(plain);
    unseen::end(thread, task, task.parent.get());
    parent.tool.frame.enter.store(0, Ordering::Relaxed);
}
