//! Parallel regions (OpenMP 6.0, section 41.4).

use omphalos_abi::ompd::*;

use crate::{HANDLES, code, held};

omphalos_ompd_answers::answered! {
    /// The innermost region of a thread.
    ompd_get_curr_parallel_handle(
        [Thread] thread_handle: *mut ompd_thread_handle_t;
        parallel_handle: *mut ompd_parallel_handle_t
    ) = HANDLES.handle(thread_handle.current_parallel());
    /// The region around a region; unavailable around the one of an initial task.
    ompd_get_enclosing_parallel_handle(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t;
        enclosing_parallel_handle: *mut ompd_parallel_handle_t
    ) = HANDLES.handle(parallel_handle.enclosing());
    /// The region of a task.
    ompd_get_task_parallel_handle(
        [Task] task_handle: *mut ompd_task_handle_t;
        task_parallel_handle: *mut ompd_parallel_handle_t
    ) = HANDLES.handle(task_handle.parallel_of_task());
}

omphalos_ompd_answers::given_back!(
    Parallel ompd_parallel_handle_t: ompd_rel_parallel_handle(parallel_handle),
    ompd_parallel_handle_compare(parallel_handle_1, parallel_handle_2)
);
