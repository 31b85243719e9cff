//! The callbacks of the host, a row each: its number and signature, how often the event comes, the
//! event, and the parts of it that the callback is given. A comment before a row says where the
//! event is left out.

use super::{call, code, data, frame, shown, shown_word, task_data};
use crate::ompt5::callbacks::Delivery;
use core::ffi::c_int;
use omphalos_abi::ompt::*;
use omphalos_events::{Event, Kind};

/// Makes three things of the rows: the answers to a tool's registrations, the telling of each
/// event, and the number of the callback that an event brings.
macro_rules! callbacks {
    ($slot:ident; $(
        $number:ident: $signature:ident, $delivery:ident $(($by:ident))?,
        $event:ident $fields:tt $(with $bound:pat = $value:expr)? => ($($argument:expr),*);
    )*) => {
        /// By callback number: how often the event comes, and which one it is.
        pub(in crate::ompt5) const ROWS: &[(ompt_callbacks_t, Delivery)] = &[$(
            ($number, Delivery::$delivery($(crate::compilers::Compiler::$by,)? Kind::$event)),
        )*];

        /// Tells an event to the tool in this slot.
        pub(super) fn tell_event($slot: usize, event: &Event<'_>) {
            match *event {
                $(Event::$event $fields => {
                    $(let $bound = $value;)?
                    call!($slot, $number, $signature, ($($argument),*));
                })*
                ref other => super::tell_other($slot, other),
            }
        }

        /// Returns the number of the callback that the event brings.
        pub(in crate::ompt5) fn number(event: &Event<'_>) -> Option<ompt_callbacks_t> {
            match event {
                $(Event::$event { .. } => Some($number),)*
                Event::Dispatch { .. } => Some(ompt_callback_dispatch),
                _ => None,
            }
        }
    };
}

callbacks! { slot;
    ompt_callback_thread_begin: ompt_callback_thread_begin_t, Always,
        ThreadBegin { thread, kind } => (kind as c_int, data(thread, slot));
    ompt_callback_thread_end: ompt_callback_thread_end_t, Always,
        ThreadEnd { thread, .. } => (data(thread, slot));
    ompt_callback_parallel_begin: ompt_callback_parallel_begin_t, Always,
        ParallelBegin { encountering, region, requested, flags, codeptr, .. } => (
            task_data(encountering, slot), frame(encountering), data(region, slot), requested,
            flags as c_int, code(codeptr)
        );
    ompt_callback_parallel_end: ompt_callback_parallel_end_t, Always,
        ParallelEnd { encountering, region, flags, codeptr } => (
            data(region, slot), task_data(encountering, slot), flags as c_int, code(codeptr)
        );
    ompt_callback_implicit_task: ompt_callback_implicit_task_t, Always,
        ImplicitTask { endpoint, region, task, parallelism, index, flags }
            with (region, size) = shown::team(endpoint as c_int, region, parallelism, index, flags)
            => (
                endpoint as c_int, shown_word(region, slot), task_data(task, slot), size, index,
                flags as c_int
            );
    // GCC computes the bounds of static loops in line; Clang's code has no call for `scope`.
    ompt_callback_work: ompt_callback_work_t, Sometimes,
        Work { kind, endpoint, region, task, count, codeptr } => (
            kind as c_int, endpoint as c_int, data(region, slot), task_data(task, slot), count,
            code(codeptr)
        );
    // GCC emits instructions for master.
    ompt_callback_masked: ompt_callback_masked_t, NotBy(Gcc),
        Masked { endpoint, region, task, codeptr } => (
            endpoint as c_int, data(region, slot), task_data(task, slot), code(codeptr)
        );
    ompt_callback_task_create: ompt_callback_task_create_t, Always,
        TaskCreate { encountering, task, flags, has_dependences, codeptr, .. } => (
            task_data(encountering, slot), frame(encountering), task_data(task, slot),
            flags as c_int, has_dependences as c_int, code(codeptr)
        );
    ompt_callback_task_schedule: ompt_callback_task_schedule_t, Always,
        TaskSchedule { prior, status, next }
            with next = next.map_or(core::ptr::null_mut(), |task| task_data(task, slot))
            => (task_data(prior, slot), status as c_int, next);
    ompt_callback_dependences: ompt_callback_dependences_t, Always,
        Dependences { task, dependences } => (
            task_data(task, slot), dependences.as_ptr().cast(), dependences.len() as c_int
        );
    ompt_callback_task_dependence: ompt_callback_task_dependence_t, Always,
        TaskDependence { source, sink } => (task_data(source, slot), task_data(sink, slot));
    ompt_callback_sync_region: ompt_callback_sync_region_t, Always,
        SyncRegion { kind, endpoint, region, task, codeptr }
            with region = shown::region(kind as c_int, endpoint as c_int, region) => (
                kind as c_int, endpoint as c_int, shown_word(region, slot), task_data(task, slot),
                code(codeptr)
            );
    ompt_callback_sync_region_wait: ompt_callback_sync_region_t, Always,
        SyncWait { kind, endpoint, region, task, codeptr }
            with region = shown::region(kind as c_int, endpoint as c_int, region) => (
                kind as c_int, endpoint as c_int, shown_word(region, slot), task_data(task, slot),
                code(codeptr)
            );
    // GCC combines reductions in line or in a critical section.
    ompt_callback_reduction: ompt_callback_sync_region_t, Sometimes,
        Reduction { endpoint, region, task, codeptr } => (
            ompt_sync_region_reduction, endpoint as c_int, data(region, slot),
            task_data(task, slot), code(codeptr)
        );
    ompt_callback_lock_init: ompt_callback_mutex_acquire_t, Always,
        LockInit { kind, hint, implementation, wait_id, codeptr } => (
            kind as c_int, hint, implementation, wait_id, code(codeptr)
        );
    ompt_callback_lock_destroy: ompt_callback_mutex_t, Always,
        LockDestroy { kind, wait_id, codeptr } => (kind as c_int, wait_id, code(codeptr));
    // Compilers emit instructions for most atomic constructs: the runtime does not see these.
    ompt_callback_mutex_acquire: ompt_callback_mutex_acquire_t, Sometimes,
        MutexAcquire { kind, hint, implementation, wait_id, codeptr } => (
            kind as c_int, hint, implementation, wait_id, code(codeptr)
        );
    ompt_callback_mutex_acquired: ompt_callback_mutex_t, Sometimes,
        MutexAcquired { kind, wait_id, codeptr } => (kind as c_int, wait_id, code(codeptr));
    ompt_callback_mutex_released: ompt_callback_mutex_t, Sometimes,
        MutexReleased { kind, wait_id, codeptr } => (kind as c_int, wait_id, code(codeptr));
    ompt_callback_nest_lock: ompt_callback_nest_lock_t, Always,
        NestLock { endpoint, wait_id, codeptr } => (endpoint as c_int, wait_id, code(codeptr));
    // GCC emits instructions for flush.
    ompt_callback_flush: ompt_callback_flush_t, NotBy(Gcc),
        Flush { thread, codeptr } => (data(thread, slot), code(codeptr));
    ompt_callback_cancel: ompt_callback_cancel_t, Always,
        Cancel { task, flags, codeptr } => (task_data(task, slot), flags as c_int, code(codeptr));
    ompt_callback_error: ompt_callback_error_t, Always,
        Error { severity, message, codeptr } => (
            severity as c_int, message.as_ptr(), message.to_bytes().len(), code(codeptr)
        );
}
