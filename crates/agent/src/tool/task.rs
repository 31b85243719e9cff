//! Explicit tasks: created, executed, switched.
// OMPT's constants keep the names of the specification.
#![allow(non_upper_case_globals)]

use crate::accounting::CREATED;
use crate::accounting::tasks::{Creation, site};
use crate::tool::on_thread;
use core::ffi::{c_int, c_void};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_abi::ompt::*;

/// OMPT's `task_create`.
///
/// # Safety
/// Called by the runtime, as OMPT says.
pub unsafe extern "C" fn task_create(
    _encountering: *mut ompt_data_t,
    _frame: *const ompt_frame_t,
    task: *mut ompt_data_t,
    flags: c_int,
    _has_dependences: c_int,
    codeptr: *const c_void,
) {
    // A taskwait with dependences is no task of the program's.
    if flags & (ompt_task_explicit | ompt_task_target) == 0 || flags & ompt_task_taskwait != 0 {
        return;
    }
    on_thread(|thread, _now| {
        let creation = Creation::new(codeptr as u64, thread.index.load(Relaxed));
        // SAFETY: the runtime's word for the new task.
        unsafe {
            if !task.is_null() {
                (*task).value = creation.0;
            }
        }
        thread.tasks.entry([creation.codeptr(), 0, 0]).add(site::CREATED, 1);
        thread.account.count(CREATED, 1);
    });
}

/// OMPT's `task_schedule`.
///
/// # Safety
/// Called by the runtime, as OMPT says.
pub unsafe extern "C" fn task_schedule(
    prior: *mut ompt_data_t,
    status: ompt_task_status_t,
    next: *mut ompt_data_t,
) {
    let ended = match status {
        ompt_task_complete | ompt_task_cancel | ompt_task_detach => true,
        ompt_task_yield | ompt_task_switch => false,
        // Fulfilled events and ended taskwaits switch nothing.
        _ => return,
    };
    on_thread(|thread, now| {
        let account = &thread.account;
        account.settle(now);
        let stack = thread.stack();
        let active = stack.active();
        if ended {
            stack.tasks.finish(prior, account, &thread.tasks, thread.index.load(Relaxed));
        } else {
            stack.tasks.suspend(account, account.class());
        }
        // SAFETY: the runtime is switching to this task.
        let class = unsafe { stack.tasks.resume(next, account, active, ompt_task_explicit as u32) };
        account.switch(class, now);
        let (flags, codeptr) = stack.tasks.current();
        thread.set_task(flags, codeptr);
        // What a task did inside a barrier must be known before the barrier lets the primary go.
        if ended
            && let Some(context) = stack.top()
            && context.in_barrier
        {
            context.publish(account, now);
        }
    });
}
