//! Parallel regions.

use core::ffi::{c_char, c_int};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::{Held, Kind};

use crate::{DESK, address, code, compare, hand_out, held, name, number};

/// The innermost region of a thread.
///
/// # Safety
/// `parallel_handle` is null or points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_top_parallel_region(
    thread_handle: *mut ompd_thread_handle_t,
    parallel_handle: *mut *mut ompd_parallel_handle_t,
) -> ompd_rc_t {
    let answer = || held(Kind::Thread, thread_handle)?.current_parallel();
    // SAFETY: the caller's promise.
    code(unsafe { hand_out(parallel_handle, answer) })
}

/// The draft's name of [`ompd_get_top_parallel_region`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_current_parallel_handle(
    thread_handle: *mut ompd_thread_handle_t,
    parallel_handle: *mut *mut ompd_parallel_handle_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { ompd_get_top_parallel_region(thread_handle, parallel_handle) }
}

/// The region around a region.
///
/// # Safety
/// As [`ompd_get_top_parallel_region`].
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
/// As [`ompd_get_top_parallel_region`].
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
pub extern "C" fn ompd_release_parallel_handle(
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
    unsafe { compare(Kind::Parallel, parallel_handle_1, parallel_handle_2, cmp_value) }
}

/// A text that is the same for the same region.
///
/// # Safety
/// `string_id` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_parallel_handle_string_id(
    parallel_handle: *mut ompd_parallel_handle_t,
    string_id: *mut *mut c_char,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { name(Kind::Parallel, parallel_handle, string_id) }
}

/// Threads in a region.
///
/// # Safety
/// `val` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_num_threads(
    parallel_handle: *mut ompd_parallel_handle_t,
    val: *mut ompd_tword_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { number(Kind::Parallel, parallel_handle, val, |region| Ok(region.size()?.into())) }
}

/// The region's code.
///
/// # Safety
/// `entry_point` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_parallel_function(
    parallel_handle: *mut ompd_parallel_handle_t,
    entry_point: *mut ompd_address_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { address(Kind::Parallel, parallel_handle, entry_point, Held::parallel_function) }
}
