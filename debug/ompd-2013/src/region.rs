//! Parallel regions, and the tasks of threads and tasks.

use omphalos_abi::earlier::ompd2013::*;

use crate::{HANDLES, code, held};

omphalos_ompd_answers::answered! {
    /// The number of threads in the region.
    ompd_get_num_threads(
        {context: *mut ompd_context_t} [Parallel] handle: ompd_parallel_handle_t; val: ompd_tword_t
    ) = handle.size().map(Into::into);
    /// The number of regions around this one, itself included.
    ompd_get_level(
        {context: *mut ompd_context_t} [Parallel] handle: ompd_parallel_handle_t; val: ompd_tword_t
    ) = handle.level().map(Into::into);
    /// The number of these regions that have more than one thread.
    ompd_get_active_level(
        {context: *mut ompd_context_t} [Parallel] handle: ompd_parallel_handle_t; val: ompd_tword_t
    ) = handle.active_level().map(Into::into);
    /// The region's id in OMPT of 2013, if ids were kept when it began.
    ompd_get_parallel_id(
        {context: *mut ompd_context_t} [Parallel] handle: ompd_parallel_handle_t;
        id: ompd_parallel_id_t
    ) = handle.id_of_parallel();
    /// The region's code.
    ompd_get_parallel_function(
        {context: *mut ompd_context_t} [Parallel] handle: ompd_parallel_handle_t;
        entry_point: ompd_taddr_t
    ) = handle.code_of_parallel();
    /// The innermost region of a thread.
    ompd_get_innermost_parallel_region(
        {context: *mut ompd_context_t} [Thread] handle: u64; to: u64
    ) = HANDLES.constant(handle.current_parallel()?);
    /// The other name of [`ompd_get_innermost_parallel_region`].
    ompd_get_top_parallel_region(
        {context: *mut ompd_context_t} [Thread] handle: u64; to: u64
    ) = HANDLES.constant(handle.current_parallel()?);
    /// The region around a region.
    ompd_get_enclosing_parallel_handle(
        {context: *mut ompd_context_t} [Parallel] handle: u64; to: u64
    ) = HANDLES.constant(handle.enclosing()?);
    /// The other name of [`ompd_get_enclosing_parallel_handle`].
    ompd_get_ancestor_parallel_handle(
        {context: *mut ompd_context_t} [Parallel] handle: u64; to: u64
    ) = HANDLES.constant(handle.enclosing()?);
    /// The task that a thread executes.
    ompd_get_top_task_region(
        {context: *mut ompd_context_t} [Thread] handle: u64; to: u64
    ) = HANDLES.constant(handle.current_task()?);
    /// The task that made a task; for an implicit task, the task that met the region.
    ompd_get_ancestor_task_handle(
        {context: *mut ompd_context_t} [Task] handle: u64; to: u64
    ) = HANDLES.constant(handle.generating()?);
}
