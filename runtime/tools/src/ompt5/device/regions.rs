//! Makes records of regions on a device: the events of their threads, teams and tasks.
//!
//! The records are made from the events that cause the callbacks, with the same arguments. Ids are
//! the values of the tool's words, if it put some there, else the runtime's ids. Events whose
//! arguments are lists or texts are left out (`dependences`, `control_tool`, `error`).

#![allow(non_upper_case_globals)]

use super::super::translate::{number, shown};
use crate::trace::{self, Body, Names};
use core::ffi::{c_int, c_void};
use core::mem::size_of;
use omphalos_abi::ompt::*;
use omphalos_events::{Endpoint, Event, Identity, TaskTool};

/// The numbers of the events from which [`body`] makes records, as bits.
pub const NUMBERS: u64 = 1 << ompt_callback_thread_begin
    | 1 << ompt_callback_thread_end
    | 1 << ompt_callback_parallel_begin
    | 1 << ompt_callback_parallel_end
    | 1 << ompt_callback_implicit_task
    | 1 << ompt_callback_task_create
    | 1 << ompt_callback_task_schedule
    | 1 << ompt_callback_task_dependence
    | 1 << ompt_callback_work
    | 1 << ompt_callback_dispatch
    | 1 << ompt_callback_masked
    | 1 << ompt_callback_sync_region
    | 1 << ompt_callback_sync_region_wait
    | 1 << ompt_callback_reduction
    | 1 << ompt_callback_flush
    | 1 << ompt_callback_cancel
    | 1 << ompt_callback_lock_init
    | 1 << ompt_callback_lock_destroy
    | 1 << ompt_callback_mutex_acquire
    | 1 << ompt_callback_mutex_acquired
    | 1 << ompt_callback_mutex_released
    | 1 << ompt_callback_nest_lock;

/// Delivers an event to the tool's callback, and notes it if it is recorded. A begin is noted after
/// the tool was told of it, because the tool may have given it an id of its own. Other events are
/// noted before. So times nest.
pub fn tell_event(slot: usize, event: &Event<'_>, deliver: impl FnOnce()) {
    let number = number(event).map(|number| number as u32);
    let wanted = number.filter(|number| trace::recorded_of_regions(slot) & 1 << number != 0);
    let note = || {
        if let Some(number) = wanted {
            trace::note_region(slot, Names::Words, number, || body(slot, event).map(words));
        }
    };
    if begins(event) {
        deliver();
        note();
    } else {
        note();
        deliver();
    }
}

fn begins(event: &Event<'_>) -> bool {
    let endpoint = match event {
        Event::ThreadBegin { .. } | Event::ParallelBegin { .. } | Event::TaskCreate { .. } => {
            return true;
        }
        Event::ImplicitTask { endpoint, .. }
        | Event::Work { endpoint, .. }
        | Event::Masked { endpoint, .. }
        | Event::SyncRegion { endpoint, .. }
        | Event::SyncWait { endpoint, .. }
        | Event::Reduction { endpoint, .. } => endpoint,
        _ => return false,
    };
    *endpoint == Endpoint::Begin
}

/// Returns the body as plain words; bytes that the member does not cover are zero.
fn words(body: ompt_any_record_ompt_t) -> Body {
    const {
        assert!(size_of::<ompt_any_record_ompt_t>() == size_of::<Body>());
    }
    // SAFETY: both have the same size; `body` was made from zeros, so it has no uninitialised
    // bytes.
    unsafe { core::mem::transmute::<ompt_any_record_ompt_t, Body>(body) }
}

/// Returns the body that [`words`] turned into plain words.
pub fn body_of(words: &Body) -> ompt_any_record_ompt_t {
    // SAFETY: made by `words`.
    unsafe { core::mem::transmute::<Body, ompt_any_record_ompt_t>(*words) }
}

fn body(slot: usize, event: &Event<'_>) -> Option<ompt_any_record_ompt_t> {
    let id = |identity: &Identity| Names::Words.of(identity, slot);
    let task = |task: &TaskTool| id(&task.identity);
    // SAFETY: null, or the event's own region.
    let shown_id = |region: *const Identity| unsafe { region.as_ref() }.map_or(0, id);
    let code = |address: u64| address as *const c_void;
    // SAFETY: plain numbers and pointers.
    let mut all: ompt_any_record_ompt_t = unsafe { core::mem::zeroed() };
    match *event {
        Event::ThreadBegin { kind, .. } => {
            all.thread_begin = ompt_record_thread_begin_t { thread_type: kind as c_int };
        }
        // The record has the thread, and needs no more.
        Event::ThreadEnd { .. } => {}
        Event::ParallelBegin { encountering, region, requested, flags, codeptr, .. } => {
            all.parallel_begin = ompt_record_parallel_begin_t {
                encountering_task_id: task(encountering),
                parallel_id: id(region),
                requested_parallelism: requested,
                flags: flags as c_int,
                codeptr_ra: code(codeptr),
            };
        }
        Event::ParallelEnd { encountering, region, flags, codeptr } => {
            all.parallel_end = ompt_record_parallel_end_t {
                parallel_id: id(region),
                encountering_task_id: task(encountering),
                flags: flags as c_int,
                codeptr_ra: code(codeptr),
            };
        }
        Event::TaskCreate { encountering, task: new, flags, has_dependences, codeptr, .. } => {
            all.task_create = ompt_record_task_create_t {
                encountering_task_id: task(encountering),
                new_task_id: task(new),
                flags: flags as c_int,
                has_dependences: has_dependences.into(),
                codeptr_ra: code(codeptr),
            };
        }
        Event::TaskSchedule { prior, status, next } => {
            all.task_schedule = ompt_record_task_schedule_t {
                prior_task_id: task(prior),
                prior_task_status: status as c_int,
                next_task_id: next.map_or(ompt_id_none, task),
            };
        }
        Event::TaskDependence { source, sink } => {
            all.task_dependence = ompt_record_task_dependence_t {
                src_task_id: task(source),
                sink_task_id: task(sink),
            };
        }
        Event::ImplicitTask { endpoint, region, task: own, parallelism, index, flags } => {
            let (region, size) = shown::team(endpoint as c_int, region, parallelism, index, flags);
            all.implicit_task = ompt_record_implicit_task_t {
                endpoint: endpoint as c_int,
                parallel_id: shown_id(region),
                task_id: task(own),
                actual_parallelism: size,
                index,
                flags: flags as c_int,
            };
        }
        Event::Work { kind, endpoint, region, task: own, count, codeptr } => {
            all.work = ompt_record_work_t {
                work_type: kind as c_int,
                endpoint: endpoint as c_int,
                parallel_id: id(region),
                task_id: task(own),
                count,
                codeptr_ra: code(codeptr),
            };
        }
        Event::Masked { endpoint, region, task: own, codeptr } => {
            all.masked = ompt_record_masked_t {
                endpoint: endpoint as c_int,
                parallel_id: id(region),
                task_id: task(own),
                codeptr_ra: code(codeptr),
            };
        }
        Event::SyncRegion { kind, endpoint, region, task: own, codeptr }
        | Event::SyncWait { kind, endpoint, region, task: own, codeptr } => {
            let region = shown::region(kind as c_int, endpoint as c_int, region);
            all.sync_region = ompt_record_sync_region_t {
                kind: kind as c_int,
                endpoint: endpoint as c_int,
                parallel_id: shown_id(region),
                task_id: task(own),
                codeptr_ra: code(codeptr),
            };
        }
        Event::Reduction { endpoint, region, task: own, codeptr } => {
            all.sync_region = ompt_record_sync_region_t {
                kind: ompt_sync_region_reduction,
                endpoint: endpoint as c_int,
                parallel_id: id(region),
                task_id: task(own),
                codeptr_ra: code(codeptr),
            };
        }
        Event::Dispatch { kind, region, task: own, first, .. } => {
            all.dispatch = ompt_record_dispatch_t {
                parallel_id: id(region),
                task_id: task(own),
                kind: kind as c_int,
                instance: ompt_data_t { value: first },
            };
        }
        Event::Flush { codeptr, .. } => {
            all.flush = ompt_record_flush_t { codeptr_ra: code(codeptr) };
        }
        Event::Cancel { task: own, flags, codeptr } => {
            all.cancel = ompt_record_cancel_t {
                task_id: task(own),
                flags: flags as c_int,
                codeptr_ra: code(codeptr),
            };
        }
        ref mutex => return of_mutex(all, mutex),
    }
    Some(all)
}

fn of_mutex(mut all: ompt_any_record_ompt_t, event: &Event<'_>) -> Option<ompt_any_record_ompt_t> {
    let code = |address: u64| address as *const c_void;
    match *event {
        Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr }
        | Event::LockInit { kind, hint, implementation, wait_id, codeptr } => {
            all.mutex_acquire = ompt_record_mutex_acquire_t {
                kind: kind as c_int,
                hint,
                r#impl: implementation,
                wait_id,
                codeptr_ra: code(codeptr),
            };
        }
        Event::MutexAcquired { kind, wait_id, codeptr }
        | Event::MutexReleased { kind, wait_id, codeptr }
        | Event::LockDestroy { kind, wait_id, codeptr } => {
            let kind = kind as c_int;
            all.mutex = ompt_record_mutex_t { kind, wait_id, codeptr_ra: code(codeptr) };
        }
        Event::NestLock { endpoint, wait_id, codeptr } => {
            let endpoint = endpoint as c_int;
            all.nest_lock =
                ompt_record_nest_lock_t { endpoint, wait_id, codeptr_ra: code(codeptr) };
        }
        _ => return None,
    }
    Some(all)
}
