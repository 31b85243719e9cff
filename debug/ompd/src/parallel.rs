//! Parallel regions (OpenMP 6.0, section 41.4).

use omphalos_abi::ompd::*;

use crate::{HANDLES, code};

omphalos_ompd_answers::handed_out! {
    /// The innermost region of a thread.
    ompd_get_curr_parallel_handle(
        thread_handle: Thread ompd_thread_handle_t,
        parallel_handle: ompd_parallel_handle_t
    ) = current_parallel;
    /// The region around a region; unavailable around the one of an initial task.
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
    Parallel ompd_parallel_handle_t: ompd_rel_parallel_handle(parallel_handle),
    ompd_parallel_handle_compare(parallel_handle_1, parallel_handle_2)
);
