//! Parallel regions.

use core::ffi::c_char;

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::{Held, Kind};

use crate::{HANDLES, address, code, name, number};

omphalos_ompd_answers::handed_out! {
    /// The innermost region of a thread.
    ompd_get_top_parallel_region(
        thread_handle: Thread ompd_thread_handle_t,
        parallel_handle: ompd_parallel_handle_t
    ) = current_parallel;
    /// The draft's name of [`ompd_get_top_parallel_region`].
    ompd_get_current_parallel_handle(
        thread_handle: Thread ompd_thread_handle_t,
        parallel_handle: ompd_parallel_handle_t
    ) = current_parallel;
    /// The region around a region.
    ompd_get_enclosing_parallel_handle(
        parallel_handle: Parallel ompd_parallel_handle_t,
        enclosing_parallel_handle: ompd_parallel_handle_t
    ) = enclosing;
    /// The region of a task.
    ompd_get_task_parallel_handle(
        task_handle: Task ompd_task_handle_t,
        task_parallel_handle: ompd_parallel_handle_t
    ) = parallel_of_task;
}

omphalos_ompd_answers::given_back!(
    Parallel ompd_parallel_handle_t: ompd_release_parallel_handle(parallel_handle),
    ompd_parallel_handle_compare(parallel_handle_1, parallel_handle_2)
);

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
    unsafe { address(Kind::Parallel, parallel_handle, entry_point, Held::code_of_parallel) }
}
