//! Parallel regions.

use core::ffi::c_char;

use omphalos_abi::earlier::ompd2016::*;

use crate::debugger::at;
use crate::{HANDLES, code, held, name};

omphalos_ompd_answers::answered! {
    /// The innermost region of a thread.
    ompd_get_top_parallel_region(
        [Thread] thread_handle: *mut ompd_thread_handle_t;
        parallel_handle: *mut ompd_parallel_handle_t
    ) = HANDLES.handle(thread_handle.current_parallel());
    /// The draft's name of [`ompd_get_top_parallel_region`].
    ompd_get_current_parallel_handle(
        [Thread] thread_handle: *mut ompd_thread_handle_t;
        parallel_handle: *mut ompd_parallel_handle_t
    ) = HANDLES.handle(thread_handle.current_parallel());
    /// The region around a region.
    ompd_get_enclosing_parallel_handle(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t;
        enclosing_parallel_handle: *mut ompd_parallel_handle_t
    ) = HANDLES.handle(parallel_handle.enclosing());
    /// The region of a task.
    ompd_get_task_parallel_handle(
        [Task] task_handle: *mut ompd_task_handle_t;
        task_parallel_handle: *mut ompd_parallel_handle_t
    ) = HANDLES.handle(task_handle.parallel_of_task());
    /// A text that is the same for the same region.
    ompd_get_parallel_handle_string_id(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t; string_id: *mut c_char
    ) = name(&parallel_handle);
    /// The number of threads in a region.
    ompd_get_num_threads(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t; val: ompd_tword_t
    ) = parallel_handle.size().map(Into::into);
    /// The region's code.
    ompd_get_parallel_function(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t; entry_point: ompd_address_t
    ) = parallel_handle.code_of_parallel().map(at);
}

omphalos_ompd_answers::given_back!(
    Parallel ompd_parallel_handle_t: ompd_release_parallel_handle(parallel_handle),
    ompd_parallel_handle_compare(parallel_handle_1, parallel_handle_2)
);
