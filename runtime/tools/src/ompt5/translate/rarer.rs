//! Events that occur in no inner loop.

use super::{call, code, data, task_data};
use core::ffi::c_int;
use omphalos_abi::ompt::*;
use omphalos_events::Event;

/// A function of its own, so that the common events stay small.
#[cold]
pub(super) fn notify(slot: usize, event: &Event<'_>) {
    match *event {
        Event::Dependences { task, dependences } => {
            call!(
                slot,
                ompt_callback_dependences,
                ompt_callback_dependences_t,
                (task_data(task, slot), dependences.as_ptr().cast(), dependences.len() as c_int)
            );
        }
        Event::TaskDependence { source, sink } => {
            call!(
                slot,
                ompt_callback_task_dependence,
                ompt_callback_task_dependence_t,
                (task_data(source, slot), task_data(sink, slot))
            );
        }
        Event::Flush { thread, codeptr } => {
            call!(
                slot,
                ompt_callback_flush,
                ompt_callback_flush_t,
                (data(thread, slot), code(codeptr))
            );
        }
        Event::Cancel { task, flags, codeptr } => {
            call!(
                slot,
                ompt_callback_cancel,
                ompt_callback_cancel_t,
                (task_data(task, slot), flags as c_int, code(codeptr))
            );
        }
        Event::Control { command, modifier, arg, codeptr, result } => {
            if let Some(answer) = call!(
                slot,
                ompt_callback_control_tool,
                ompt_callback_control_tool_t,
                (command, modifier, arg, code(codeptr))
            ) {
                result.set(answer);
            }
        }
        Event::Error { severity, message, codeptr } => {
            call!(
                slot,
                ompt_callback_error,
                ompt_callback_error_t,
                (severity as c_int, message.as_ptr(), message.to_bytes().len(), code(codeptr))
            );
        }
        ref other => crate::ompt5::target::notify(slot, other),
    }
}
