//! Explicit tasks: made, and scheduled.

use super::{call, code, frame, task_data};
use core::ffi::c_int;
use omphalos_abi::ompt::*;
use omphalos_events::Event;

/// Tells one of these events. Inlined, so that one jump leads to each.
#[inline(always)]
pub(super) fn notify(slot: usize, event: &Event<'_>) {
    match *event {
        Event::TaskCreate { encountering, task, flags, has_dependences, codeptr, .. } => {
            call!(
                slot,
                ompt_callback_task_create,
                ompt_callback_task_create_t,
                (
                    task_data(encountering, slot),
                    frame(encountering),
                    task_data(task, slot),
                    flags as c_int,
                    has_dependences as c_int,
                    code(codeptr)
                )
            );
        }
        Event::TaskSchedule { prior, status, next } => {
            let next = next.map_or(core::ptr::null_mut(), |task| task_data(task, slot));
            call!(
                slot,
                ompt_callback_task_schedule,
                ompt_callback_task_schedule_t,
                (task_data(prior, slot), status as c_int, next)
            );
        }
        _ => {}
    }
}
