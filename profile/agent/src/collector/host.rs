//! The OMPT runtime that the agent's tool sees where the Collector API is the source: it takes
//! registrations, answers what state a thread is in, and calls the callbacks. `threads.rs` calls
//! it, one function for each OMPT event.
#![allow(non_upper_case_globals)]

use super::api;
use crate::tool::Profiler;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use omphalos_abi::collector::*;
use omphalos_abi::ompt::*;

/// The version that the runtime says it has: the interface was written for OpenMP 2.5.
const OPENMP: u32 = 200_505;

/// Registered callbacks by number, 0 for none. Written while the tool starts.
static CALLBACKS: [AtomicUsize; CALLBACK_LIMIT] = [const { AtomicUsize::new(0) }; CALLBACK_LIMIT];

/// Starts the tool. Returns false if it does not want to run.
pub fn start_tool() -> bool {
    // SAFETY: as a runtime calls it, with a name that lives for ever.
    let result = unsafe {
        omphalos_ompt::inside::start::<Profiler>(OPENMP, c"Collector API of 2007".as_ptr())
    };
    // SAFETY: null, or the structure that the tool keeps.
    let Some(result) = (unsafe { result.as_mut() }) else { return false };
    let Some(initialize) = result.initialize else { return false };
    // SAFETY: as a runtime calls it.
    unsafe { initialize(lookup, 0, &mut result.tool_data) != 0 }
}

/// Returns the entry points that the agent's tool asks for and that the Collector API can serve.
unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the tool passes a zero-terminated string.
    let address = match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"ompt_set_callback" => set_callback as *const () as usize,
        b"ompt_get_state" => get_state as *const () as usize,
        _ => return None,
    };
    // SAFETY: the address of a function; the tool casts it back to the type that its name has.
    Some(unsafe { core::mem::transmute::<usize, ompt_interface_fn_t>(address) })
}

unsafe extern "C" fn set_callback(number: c_int, callback: usize) -> ompt_set_result_t {
    let Some(entry) = usize::try_from(number).ok().and_then(|number| CALLBACKS.get(number)) else {
        return ompt_set_error;
    };
    entry.store(callback, Relaxed);
    match number {
        ompt_callback_thread_begin
        | ompt_callback_parallel_begin
        | ompt_callback_parallel_end
        | ompt_callback_implicit_task
        | ompt_callback_sync_region => ompt_set_always,
        ompt_callback_mutex_acquire
        | ompt_callback_mutex_acquired
        | ompt_callback_mutex_released
        | ompt_callback_task_schedule
        | ompt_callback_work
        | ompt_callback_masked
        // No event says that a worker ends: the end of the process counts as its end.
        | ompt_callback_thread_end => ompt_set_sometimes,
        _ => ompt_set_never,
    }
}

/// Async-signal-safe.
unsafe extern "C" fn get_state(wait_id: *mut u64) -> c_int {
    let (state, wait) = api::state();
    if !wait_id.is_null() {
        // SAFETY: the tool's output pointer.
        unsafe { wait_id.write(wait) };
    }
    match state {
        THR_WORK_STATE => ompt_state_work_parallel,
        THR_IBAR_STATE => ompt_state_wait_barrier_implicit_parallel,
        THR_EBAR_STATE => ompt_state_wait_barrier_explicit,
        THR_IDLE_STATE => ompt_state_idle,
        THR_SERIAL_STATE => ompt_state_work_serial,
        THR_REDUC_STATE => ompt_state_work_reduction,
        THR_LKWT_STATE => ompt_state_wait_lock,
        THR_CTWT_STATE => ompt_state_wait_critical,
        THR_ODWT_STATE => ompt_state_wait_ordered,
        THR_ATWT_STATE => ompt_state_wait_atomic,
        _ => ompt_state_overhead,
    }
}

/// Calls one callback, if the tool has it. The arguments are its number, its signature and the
/// callback's arguments.
macro_rules! call {
    ($number:ident, $signature:ty, ($($argument:expr),*)) => {{
        let address = CALLBACKS[$number as usize].load(Relaxed);
        if address != 0 {
            let function: $signature =
                // SAFETY: registered under this number, which has this signature.
                unsafe { core::mem::transmute::<usize, $signature>(address) };
            // SAFETY: the arguments are what OMPT says; what they point to lives until the call
            // returns.
            unsafe { function($($argument),*) };
        }
    }};
}

/// Reports that a thread begins.
pub fn thread_begin(kind: ompt_thread_t, word: *mut ompt_data_t) {
    call!(ompt_callback_thread_begin, ompt_callback_thread_begin_t, (kind, word));
}

/// Reports that a region is about to be forked.
pub fn parallel_begin(task: *mut ompt_data_t, region: *mut ompt_data_t, requested: u32, call: u64) {
    let frame = ompt_frame_t {
        exit_frame: ompt_data_none,
        enter_frame: ompt_data_none,
        exit_frame_flags: 0,
        enter_frame_flags: 0,
    };
    let flags = ompt_parallel_team | ompt_parallel_invoker_program;
    call!(
        ompt_callback_parallel_begin,
        ompt_callback_parallel_begin_t,
        (task, &frame, region, requested, flags, call as *const c_void)
    );
}

/// Reports that a region is over.
pub fn parallel_end(region: *mut ompt_data_t, task: *mut ompt_data_t, call: u64) {
    let flags = ompt_parallel_team | ompt_parallel_invoker_program;
    call!(
        ompt_callback_parallel_end,
        ompt_callback_parallel_end_t,
        (region, task, flags, call as *const c_void)
    );
}

/// Reports that an implicit (or, without a region, the initial) task begins.
pub fn task_begin(region: *mut ompt_data_t, task: *mut ompt_data_t, team: u32, index: u32) {
    let flags = if region.is_null() { ompt_task_initial } else { ompt_task_implicit };
    let mut outside = ompt_data_none;
    let region = if region.is_null() { &raw mut outside } else { region };
    call!(
        ompt_callback_implicit_task,
        ompt_callback_implicit_task_t,
        (ompt_scope_begin, region, task, team, index, flags)
    );
}

/// Reports that the task ends.
pub fn task_end(task: *mut ompt_data_t, index: u32) {
    call!(
        ompt_callback_implicit_task,
        ompt_callback_implicit_task_t,
        (ompt_scope_end, core::ptr::null_mut(), task, 0, index, ompt_task_implicit)
    );
}

/// Reports that a barrier begins or ends.
pub fn barrier(
    kind: ompt_sync_region_t,
    endpoint: ompt_scope_endpoint_t,
    region: *mut ompt_data_t,
    task: *mut ompt_data_t,
    call: u64,
) {
    call!(
        ompt_callback_sync_region,
        ompt_callback_sync_region_t,
        (kind, endpoint, region, task, call as *const c_void)
    );
}

/// Reports that the thread leaves one task for another.
pub fn task_schedule(prior: *mut ompt_data_t, status: ompt_task_status_t, next: *mut ompt_data_t) {
    call!(ompt_callback_task_schedule, ompt_callback_task_schedule_t, (prior, status, next));
}

/// An event at a construct's begin or end: the endpoint, region, task and the call's place.
pub type Construct = fn(ompt_scope_endpoint_t, *mut ompt_data_t, *mut ompt_data_t, u64);

/// Reports that the thread executes a `single`.
pub fn single(
    endpoint: ompt_scope_endpoint_t,
    region: *mut ompt_data_t,
    task: *mut ompt_data_t,
    call: u64,
) {
    let (kind, place) = (ompt_work_single_executor, call as *const c_void);
    call!(ompt_callback_work, ompt_callback_work_t, (kind, endpoint, region, task, 1, place));
}

/// Reports that the thread executes a `master` region.
pub fn masked(
    endpoint: ompt_scope_endpoint_t,
    region: *mut ompt_data_t,
    task: *mut ompt_data_t,
    call: u64,
) {
    let place = call as *const c_void;
    call!(ompt_callback_masked, ompt_callback_masked_t, (endpoint, region, task, place));
}

/// Reports that the thread begins to wait for a mutex.
pub fn mutex_acquire(kind: ompt_mutex_t, wait_id: u64, call: u64) {
    call!(
        ompt_callback_mutex_acquire,
        ompt_callback_mutex_acquire_t,
        (kind, 0, 0, wait_id, call as *const c_void)
    );
}

/// Reports that the thread has the mutex.
pub fn mutex_acquired(kind: ompt_mutex_t, wait_id: u64, call: u64) {
    call!(
        ompt_callback_mutex_acquired,
        ompt_callback_mutex_t,
        (kind, wait_id, call as *const c_void)
    );
}

/// Reports that the thread gives the mutex back.
pub fn mutex_released(kind: ompt_mutex_t, wait_id: u64, call: u64) {
    call!(
        ompt_callback_mutex_released,
        ompt_callback_mutex_t,
        (kind, wait_id, call as *const c_void)
    );
}
