//! Threads, regions, implicit tasks, and the work that regions share.

use super::{call, code, data, frame, shown, shown_word, task_data};
use core::ffi::{c_int, c_void};
use omphalos_abi::ompt::*;
use omphalos_events::{DispatchKind, Event, Identity, TaskTool};

/// Tells one of these events. Inlined, so that one jump leads to each.
#[inline(always)]
pub(super) fn notify(slot: usize, event: &Event<'_>) {
    match *event {
        Event::ThreadBegin { thread, kind } => {
            call!(
                slot,
                ompt_callback_thread_begin,
                ompt_callback_thread_begin_t,
                (kind as c_int, data(thread, slot))
            );
        }
        Event::ThreadEnd { thread, .. } => {
            call!(slot, ompt_callback_thread_end, ompt_callback_thread_end_t, (data(thread, slot)));
        }
        Event::ParallelBegin { encountering, region, requested, flags, codeptr, .. } => {
            call!(
                slot,
                ompt_callback_parallel_begin,
                ompt_callback_parallel_begin_t,
                (
                    task_data(encountering, slot),
                    frame(encountering),
                    data(region, slot),
                    requested,
                    flags as c_int,
                    code(codeptr)
                )
            );
        }
        Event::ParallelEnd { encountering, region, flags, codeptr } => {
            call!(
                slot,
                ompt_callback_parallel_end,
                ompt_callback_parallel_end_t,
                (data(region, slot), task_data(encountering, slot), flags as c_int, code(codeptr))
            );
        }
        Event::ImplicitTask { endpoint, region, task, parallelism, index, flags } => {
            let (region, parallelism) =
                shown::team(endpoint as c_int, region, parallelism, index, flags);
            call!(
                slot,
                ompt_callback_implicit_task,
                ompt_callback_implicit_task_t,
                (
                    endpoint as c_int,
                    shown_word(region, slot),
                    task_data(task, slot),
                    parallelism,
                    index,
                    flags as c_int
                )
            );
        }
        Event::Work { kind, endpoint, region, task, count, codeptr } => {
            call!(
                slot,
                ompt_callback_work,
                ompt_callback_work_t,
                (
                    kind as c_int,
                    endpoint as c_int,
                    data(region, slot),
                    task_data(task, slot),
                    count,
                    code(codeptr)
                )
            );
        }
        Event::Masked { endpoint, region, task, codeptr } => {
            call!(
                slot,
                ompt_callback_masked,
                ompt_callback_masked_t,
                (endpoint as c_int, data(region, slot), task_data(task, slot), code(codeptr))
            );
        }
        Event::Dispatch { kind, region, task, first, count } => {
            dispatch(slot, kind, region, task, first, count);
        }
        _ => {}
    }
}

/// A chunk is on the stack while the tool reads it. A function of its own, so that the other events
/// need no room for one.
#[inline(never)]
fn dispatch(
    slot: usize,
    kind: DispatchKind,
    region: &Identity,
    task: &TaskTool,
    first: u64,
    count: u64,
) {
    let mut chunk = ompt_dispatch_chunk_t { start: first, iterations: count };
    let instance = match kind {
        _ if kind.is_chunk() => ompt_data_t { ptr: (&raw mut chunk).cast() },
        DispatchKind::Section => ompt_data_t { ptr: first as *mut c_void },
        _ => ompt_data_t { value: first },
    };
    call!(
        slot,
        ompt_callback_dispatch,
        ompt_callback_dispatch_t,
        (data(region, slot), task_data(task, slot), kind as c_int, instance)
    );
}
