//! Tasks that are executed at once while a tool listens: on a record that is prepared.
//!
//! As in `unseen.rs`, the record is defined once for each depth and used again, and what holds there
//! holds here. To tools each task is a new one: its identity is renewed, its flags are the construct's
//! while it lasts, and they hear of its making, its begin and its end. There is no entry of
//! [`Running`](super::execute::Running) for it: it interrupts the task that made it.

use super::unseen::{self, Body};
use super::{create, hooks, taskloop};
use crate::thread::Thread;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::{Kind, TaskFlags, TaskStatus, heard, tell};
use omphalos_sys::entry::Caller;
use omphalos_sys::invoke;

/// Executes a task of GCC's form at once on the construct's own data. `flags`: what the construct adds
/// to the bits of `ompt_task_flag_t` that every such task has. An entry stub said who called.
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

/// As [`call`], one task after the other on the same data: for a taskloop's shares. `next` prepares the
/// data of the next one and says its first value and how many iterations it has, or that there is none.
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
    while let Some((first, count)) = next() {
        let begun = || taskloop::tell_share(thread, first, count);
        // SAFETY: the caller's promise.
        unsafe { call_with(thread, body, data, flags, caller, begun) };
    }
}

/// `begun` is called in the task before its body, if a tool hears of tasks.
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
    let flags = plain | flags;
    task.flags.set(flags);
    task.code.set(body as *const c_void);
    task.tool.identity.renew(thread.unique_id());
    parent.tool.frame.enter.store(caller.entry_cfa(), Ordering::Relaxed);
    let heard = heard();
    if heard & SEEN != 0 {
        let alone = if create::is_alone(thread) { TaskFlags::UNDEFERRED } else { 0 };
        tell::task_create(
            &parent.tool,
            &task.tool,
            flags | alone,
            false,
            || task.function(),
            caller.address(),
        );
        if heard & Kind::TaskSchedule.bit() != 0 {
            hooks::switch_heard(thread, parent, TaskStatus::Switch, task);
        }
    }
    let queue = &thread.slot().tasks;
    // The program calls this, and while it runs there is no constraint.
    let mark = queue.mark.replace(queue.deque.bottom());
    unseen::begin(thread, task, body);
    if heard & SEEN != 0 {
        begun();
    }
    // SAFETY: the caller's promise.
    unsafe { invoke::call_with_data(body as *const c_void, data, task.tool.frame.exit.as_ptr()) };
    thread.slot().tasks.mark.set(mark);
    thread.task.set(core::ptr::from_ref(parent).cast_mut());
    hooks::switch_on(thread, task, TaskStatus::Complete, parent);
    task.flags.set(plain);
    unseen::end(thread, task, task.parent.get());
    parent.tool.frame.enter.store(0, Ordering::Relaxed);
}

/// What happens to such a task.
const SEEN: u64 = Kind::TaskCreate.bit() | Kind::TaskSchedule.bit() | Kind::Dispatch.bit();
