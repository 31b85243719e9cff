//! From an event to the callback that a tool registered for it.
//!
//! The numbers of the vocabulary are OpenMP 6.0's, so most arguments pass as they are; what 5.x
//! wants otherwise than the older generations is dropped here (the region at the end of an implicit
//! task, but not of an initial one, and of the barrier that ends a parallel region). A callback is
//! read once for each event: a tool may remove it at any moment.

use super::tool::tool;
use core::ffi::{c_int, c_void};
use omphalos_abi::ompt::*;
use omphalos_events::{
    Dependence, DispatchKind, Endpoint, Event, Frame, Identity, SyncKind, TaskFlags, TaskTool,
    shown_region, shown_team,
};

/// Calls one callback, if the tool in `slot` registered it: number, signature, arguments.
macro_rules! call {
    ($slot:expr, $number:ident, $signature:ty, ($($argument:expr),* $(,)?)) => {
        match tool($slot).callback($number as usize) {
            0 => None,
            address => {
                // SAFETY: the tool registered this address under this number, which by the
                // specification has this signature.
                let function: $signature = unsafe { core::mem::transmute::<usize, _>(address) };
                // SAFETY: the arguments are what the specification promises for the event; they
                // live at least until the call returns.
                Some(unsafe { function($($argument),*) })
            }
        }
    };
}

pub(super) use call;

/// Delivers `event` to the OMPT tool in `slot`: the subscriber function of this dialect.
pub fn notify(slot: usize, event: &Event<'_>) {
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
                shown_team(endpoint, region, slot, parallelism, index, flags);
            call!(
                slot,
                ompt_callback_implicit_task,
                ompt_callback_implicit_task_t,
                (
                    endpoint as c_int,
                    region,
                    task_data(task, slot),
                    parallelism,
                    index,
                    flags as c_int
                )
            );
        }
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
        Event::SyncRegion { kind, endpoint, region, task, codeptr } => {
            call!(
                slot,
                ompt_callback_sync_region,
                ompt_callback_sync_region_t,
                (
                    kind as c_int,
                    endpoint as c_int,
                    shown_region(kind, endpoint, data(region, slot)),
                    task_data(task, slot),
                    code(codeptr)
                )
            );
        }
        Event::SyncWait { kind, endpoint, region, task, codeptr } => {
            call!(
                slot,
                ompt_callback_sync_region_wait,
                ompt_callback_sync_region_t,
                (
                    kind as c_int,
                    endpoint as c_int,
                    shown_region(kind, endpoint, data(region, slot)),
                    task_data(task, slot),
                    code(codeptr)
                )
            );
        }
        Event::Reduction { endpoint, region, task, codeptr } => {
            call!(
                slot,
                ompt_callback_reduction,
                ompt_callback_sync_region_t,
                (
                    ompt_sync_region_reduction,
                    endpoint as c_int,
                    data(region, slot),
                    task_data(task, slot),
                    code(codeptr)
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
        Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_mutex_acquire,
                ompt_callback_mutex_acquire_t,
                (kind as c_int, hint, implementation, wait_id, code(codeptr))
            );
        }
        Event::MutexAcquired { kind, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_mutex_acquired,
                ompt_callback_mutex_t,
                (kind as c_int, wait_id, code(codeptr))
            );
        }
        Event::MutexReleased { kind, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_mutex_released,
                ompt_callback_mutex_t,
                (kind as c_int, wait_id, code(codeptr))
            );
        }
        Event::LockInit { kind, hint, implementation, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_lock_init,
                ompt_callback_mutex_acquire_t,
                (kind as c_int, hint, implementation, wait_id, code(codeptr))
            );
        }
        Event::LockDestroy { kind, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_lock_destroy,
                ompt_callback_mutex_t,
                (kind as c_int, wait_id, code(codeptr))
            );
        }
        Event::NestLock { endpoint, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_nest_lock,
                ompt_callback_nest_lock_t,
                (endpoint as c_int, wait_id, code(codeptr))
            );
        }
        Event::Dispatch { kind, region, task, first, count } => {
            dispatch(slot, kind, region, task, first, count);
        }
        ref rarer => notify_rarer(slot, rarer),
    }
}

/// The events that no inner loop has, apart so that the common ones stay small.
#[cold]
fn notify_rarer(slot: usize, event: &Event<'_>) {
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
        ref other => super::target::notify(slot, other),
    }
}

/// A chunk lies on the stack while the tool looks at it: apart, so that the other events need none.
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

/// The tool's word on a thread or region.
#[inline(always)]
pub fn data(identity: &Identity, slot: usize) -> *mut ompt_data_t {
    identity.word(slot).cast()
}

/// The tool's word on a task.
#[inline(always)]
pub fn task_data(task: &TaskTool, slot: usize) -> *mut ompt_data_t {
    data(&task.identity, slot)
}

/// The task's frames, which the runtime fills and tools read.
#[inline(always)]
pub fn frame(task: &TaskTool) -> *const ompt_frame_t {
    (&raw const task.frame).cast()
}

#[inline(always)]
fn code(address: u64) -> *const c_void {
    address as *const c_void
}

// The vocabulary passes numbers and structures through; both crates must mean the same.
const _: () = {
    use core::mem::{offset_of, size_of};
    assert!(size_of::<Frame>() == size_of::<ompt_frame_t>());
    assert!(offset_of!(Frame, enter) == offset_of!(ompt_frame_t, enter_frame));
    assert!(offset_of!(Frame, exit_flags) == offset_of!(ompt_frame_t, exit_frame_flags));
    assert!(size_of::<Dependence>() == size_of::<ompt_dependence_t>());
    assert!(offset_of!(Dependence, kind) == offset_of!(ompt_dependence_t, dependence_type));
    assert!(TaskFlags::INITIAL == ompt_task_initial as u32);
    assert!(TaskFlags::MERGED == ompt_task_merged as u32);
    assert!(TaskFlags::UNDEFERRED == ompt_task_undeferred as u32);
    assert!(
        SyncKind::BarrierImplicitParallel as c_int == ompt_sync_region_barrier_implicit_parallel
    );
    assert!(SyncKind::Taskwait as c_int == ompt_sync_region_taskwait);
    assert!(DispatchKind::DistributeChunk as c_int == ompt_dispatch_distribute_chunk);
    assert!(Endpoint::BeginEnd as c_int == ompt_scope_beginend);
};
