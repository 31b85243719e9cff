//! Parallel regions (OpenMP 6.0, section 41.4).

use core::ffi::c_int;

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::Kind;

use crate::thread::compare;
use crate::{DESK, code, hand_out, held};

/// The innermost region of a thread.
///
/// # Safety
/// `parallel_handle` is null or points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_curr_parallel_handle(
    thread_handle: *mut ompd_thread_handle_t,
    parallel_handle: *mut *mut ompd_parallel_handle_t,
) -> ompd_rc_t {
    let answer = || held(Kind::Thread, thread_handle)?.current_parallel();
    // SAFETY: the caller's promise.
    code(unsafe { hand_out(parallel_handle, answer) })
}

/// The region around a region; unavailable around the one of an initial task.
///
/// # Safety
/// As [`ompd_get_curr_parallel_handle`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_enclosing_parallel_handle(
    parallel_handle: *mut ompd_parallel_handle_t,
    enclosing_parallel_handle: *mut *mut ompd_parallel_handle_t,
) -> ompd_rc_t {
    let answer = || held(Kind::Parallel, parallel_handle)?.enclosing();
    // SAFETY: the caller's promise.
    code(unsafe { hand_out(enclosing_parallel_handle, answer) })
}

/// The region of a task.
///
/// # Safety
/// As [`ompd_get_curr_parallel_handle`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_parallel_handle(
    task_handle: *mut ompd_task_handle_t,
    task_parallel_handle: *mut *mut ompd_parallel_handle_t,
) -> ompd_rc_t {
    let answer = || held(Kind::Task, task_handle)?.parallel_of_task();
    // SAFETY: the caller's promise.
    code(unsafe { hand_out(task_parallel_handle, answer) })
}

/// Gives a handle back.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_rel_parallel_handle(
    parallel_handle: *mut ompd_parallel_handle_t,
) -> ompd_rc_t {
    code(DESK.release(Kind::Parallel, parallel_handle as u64))
}

/// Less than, equal to or greater than 0.
///
/// # Safety
/// `cmp_value` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_parallel_handle_compare(
    parallel_handle_1: *mut ompd_parallel_handle_t,
    parallel_handle_2: *mut ompd_parallel_handle_t,
    cmp_value: *mut c_int,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(unsafe { compare(Kind::Parallel, parallel_handle_1, parallel_handle_2, cmp_value) })
}
