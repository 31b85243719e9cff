//! Tasks.

use core::ffi::{c_char, c_int};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::Held;

use crate::debugger::at;
use crate::{HANDLES, code, hand_out_all, held, name};

omphalos_ompd_answers::answered! {
    /// The task that a thread executes.
    ompd_get_top_task_region(
        [Thread] thread_handle: *mut ompd_thread_handle_t; task_handle: *mut ompd_task_handle_t
    ) = HANDLES.handle(thread_handle.current_task());
    /// The draft's name of [`ompd_get_top_task_region`].
    ompd_get_current_task_handle(
        [Thread] thread_handle: *mut ompd_thread_handle_t; task_handle: *mut ompd_task_handle_t
    ) = HANDLES.handle(thread_handle.current_task());
    /// The task that met the construct of a task.
    ompd_get_generating_ancestor_task_region(
        [Task] task_handle: *mut ompd_task_handle_t; parent_task_handle: *mut ompd_task_handle_t
    ) = HANDLES.handle(task_handle.generating());
    /// The task that the thread interrupted to execute this one.
    ompd_get_scheduling_ancestor_task_region(
        [Task] task_handle: *mut ompd_task_handle_t; parent_task_handle: *mut ompd_task_handle_t
    ) = HANDLES.handle(task_handle.scheduling());
    /// The implicit tasks of a region, by the numbers of their threads.
    ompd_get_implicit_task_in_parallel(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t,
        task_handle_vector: *mut *mut *mut ompd_task_handle_t; num_handles: c_int
    ) = {
        let all = parallel_handle.members(Held::task_in);
        // SAFETY: the caller's promise.
        unsafe { hand_out_all(&parallel_handle, all, task_handle_vector) }
    };
    /// A text that is the same for the same task.
    ompd_get_task_handle_string_id(
        [Task] task_handle: *mut ompd_task_handle_t; string_id: *mut c_char
    ) = name(&task_handle);
    /// `omp_get_level`.
    ompd_get_level([Task] task_handle: *mut ompd_task_handle_t; val: ompd_tword_t)
        = task_handle.parallel_of_task()?.level().map(Into::into);
    /// `omp_get_active_level`.
    ompd_get_active_level([Task] task_handle: *mut ompd_task_handle_t; val: ompd_tword_t)
        = task_handle.parallel_of_task()?.active_level().map(Into::into);
    /// `omp_get_max_threads`.
    ompd_get_max_threads([Task] task_handle: *const ompd_task_handle_t; val: ompd_tword_t)
        = task_handle.number("nthreads-var");
    /// `omp_in_parallel`.
    ompd_in_parallel([Task] task_handle: *const ompd_task_handle_t; val: ompd_tword_t)
        = task_handle.in_parallel().map(Into::into);
    /// `omp_in_final`.
    ompd_in_final([Task] task_handle: *const ompd_task_handle_t; val: ompd_tword_t)
        = task_handle.is_final().map(Into::into);
    /// `omp_get_dynamic`.
    ompd_get_dynamic([Task] task_handle: *const ompd_task_handle_t; val: ompd_tword_t)
        = task_handle.number("dyn-var");
    /// `omp_get_nested`.
    ompd_get_nested([Task] task_handle: *const ompd_task_handle_t; val: ompd_tword_t)
        = task_handle.nested().map(Into::into);
    /// Whether no task construct made it.
    ompd_is_implicit([Task] task_handle: *mut ompd_task_handle_t; val: ompd_tword_t)
        = task_handle.is_implicit().map(Into::into);
    /// `omp_get_schedule`.
    ompd_get_schedule(
        [Task] task_handle: *mut ompd_task_handle_t; kind: ompd_sched_t, modifier: ompd_tword_t
    ) = task_handle.schedule().map(|(kind, chunk)| (kind, chunk.into()));
    /// `omp_get_proc_bind`.
    ompd_get_proc_bind([Task] task_handle: *mut ompd_task_handle_t; bind: ompd_proc_bind_t)
        = Ok(task_handle.number("bind-var")? as ompd_proc_bind_t);
    /// The frame in which the runtime called a task's code, and the frame in which that code
    /// entered the runtime.
    ompd_get_task_frame(
        [Task] task_handle: *mut ompd_task_handle_t;
        exit_runtime_addr: ompd_address_t, reenter_runtime_addr: ompd_address_t
    ) = task_handle.kept_frames().map(|frames| (at(frames.exit), at(frames.enter)));
    /// The code that a task executes.
    ompd_get_task_function(
        [Task] task_handle: *mut ompd_task_handle_t; entry_point: ompd_address_t
    ) = task_handle.code_of_task().map(at);
}

omphalos_ompd_answers::given_back!(
    Task ompd_task_handle_t: ompd_release_task_handle(task_handle),
    ompd_task_handle_compare(task_handle_1, task_handle_2)
);
