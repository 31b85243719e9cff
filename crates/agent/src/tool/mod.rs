//! The OMPT side: an ordinary OMPT 5 tool, for any runtime that has the interface.
//!
//! One file for each family of events. What must hold: every callback returns quickly, books its
//! own cost, never panics and prints nothing; a callback after the thread's end, or after the
//! agent's, does nothing.

pub mod mutex;
pub mod parallel;
pub mod sync;
pub mod task;
pub mod threads;

use crate::clock::ticks;
use crate::life;
use crate::thread::Thread;
use core::ffi::{CStr, c_char, c_int, c_uint};
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use omphalos_abi::ompt::*;

/// What the runtime said at `ompt_start_tool`.
static RESULT: AtomicPtr<ompt_start_tool_result_t> = AtomicPtr::new(core::ptr::null_mut());
/// `ompt_get_state`, null before a runtime is there.
static GET_STATE: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// OMPT's start: the runtime finds the agent by this name.
///
/// # Safety
/// Called by an OpenMP runtime as OMPT says; `runtime_version` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompt_start_tool(
    omp_version: c_uint,
    runtime_version: *const c_char,
) -> *mut ompt_start_tool_result_t {
    let version: &[u8] = if runtime_version.is_null() {
        b""
    } else {
        // SAFETY: not null, so the runtime's own string.
        unsafe { CStr::from_ptr(runtime_version) }.to_bytes()
    };
    if !life::start(Some((omp_version, version))) {
        return core::ptr::null_mut();
    }
    let known = RESULT.load(Relaxed);
    if !known.is_null() {
        return known;
    }
    let result = Box::into_raw(Box::new(ompt_start_tool_result_t {
        initialize: Some(initialize),
        finalize: Some(finalize),
        tool_data: ompt_data_none,
    }));
    RESULT.store(result, Relaxed);
    result
}

unsafe extern "C" fn initialize(
    lookup: ompt_function_lookup_t,
    _initial_device: c_int,
    _data: *mut ompt_data_t,
) -> c_int {
    // SAFETY: the runtime's lookup gives null or a function of the type that OMPT says.
    unsafe {
        if let Some(get_state) = lookup(c"ompt_get_state".as_ptr()) {
            GET_STATE.store(get_state as *mut (), Relaxed);
        }
        let Some(set) = lookup(c"ompt_set_callback".as_ptr()) else { return 0 };
        let set: ompt_set_callback_t = core::mem::transmute(set);
        let wanted: [(ompt_callbacks_t, *const ()); 15] = [
            (ompt_callback_thread_begin, threads::thread_begin as *const ()),
            (ompt_callback_thread_end, threads::thread_end as *const ()),
            (ompt_callback_parallel_begin, parallel::parallel_begin as *const ()),
            (ompt_callback_parallel_end, parallel::parallel_end as *const ()),
            (ompt_callback_implicit_task, parallel::implicit_task as *const ()),
            (ompt_callback_task_create, task::task_create as *const ()),
            (ompt_callback_task_schedule, task::task_schedule as *const ()),
            (ompt_callback_sync_region, sync::sync_region as *const ()),
            (ompt_callback_sync_region_wait, sync::sync_region_wait as *const ()),
            (ompt_callback_mutex_acquire, mutex::mutex_acquire as *const ()),
            (ompt_callback_mutex_acquired, mutex::mutex_acquired as *const ()),
            (ompt_callback_mutex_released, mutex::mutex_released as *const ()),
            (ompt_callback_nest_lock, mutex::nest_lock as *const ()),
            (ompt_callback_control_tool, threads::control_tool as *const ()),
            (ompt_callback_error, threads::error as *const ()),
        ];
        for (event, callback) in wanted {
            let callback: ompt_callback_t = core::mem::transmute(callback);
            let answer = set(event, Some(callback));
            let needed = event <= ompt_callback_implicit_task;
            if answer <= ompt_set_impossible && needed {
                life::warn(format_args!(
                    "this OpenMP runtime does not report event {event}: figures will be missing"
                ));
            }
        }
    }
    1
}

unsafe extern "C" fn finalize(_data: *mut ompt_data_t) {
    life::finish("the runtime ended");
}

/// Runs a callback's body with the calling thread's record and the time, and books what it took.
#[inline]
fn on_thread(body: impl FnOnce(&'static Thread, u64)) {
    let Some(thread) = Thread::current().or_else(threads::late) else { return };
    if !thread.alive.load(Relaxed) {
        return;
    }
    let now = ticks();
    body(thread, now);
    thread.book(&thread.in_callbacks, now, 10_000);
}

/// The calling thread's `ompt_state_t` and what it waits for, 0 where no runtime can say.
/// Async-signal-safe: OMPT says so of the entry point.
pub fn state() -> (u32, u64) {
    let get_state = GET_STATE.load(Relaxed);
    if get_state.is_null() {
        return (ompt_state_work_serial as u32, 0);
    }
    // SAFETY: stored by `initialize` from the runtime's lookup.
    let get_state: ompt_get_state_t = unsafe { core::mem::transmute(get_state) };
    let mut wait_id: ompt_wait_id_t = 0;
    // SAFETY: the pointer is valid; the thread is between its begin and its end.
    let state = unsafe { get_state(&mut wait_id) } as u32;
    let waits = state & 0xffc0 == ompt_state_wait_mutex as u32;
    (state, if waits { wait_id } else { 0 })
}
