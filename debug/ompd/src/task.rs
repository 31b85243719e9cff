//! Tasks (OpenMP 6.0, section 41.5).

use core::ffi::c_int;

use omphalos_abi::ompd::*;

use crate::debugger::at;
use crate::{HANDLES, code, held};

omphalos_ompd_answers::answered! {
    /// The task that a thread executes.
    ompd_get_curr_task_handle(
        [Thread] thread_handle: *mut ompd_thread_handle_t; task_handle: *mut ompd_task_handle_t
    ) = HANDLES.handle(thread_handle.current_task());
    /// The task that met the construct of a task.
    ompd_get_generating_task_handle(
        [Task] task_handle: *mut ompd_task_handle_t;
        generating_task_handle: *mut ompd_task_handle_t
    ) = HANDLES.handle(task_handle.generating());
    /// The task that the thread interrupted to execute this one.
    ompd_get_scheduling_task_handle(
        [Task] task_handle: *mut ompd_task_handle_t;
        scheduling_task_handle: *mut ompd_task_handle_t
    ) = HANDLES.handle(task_handle.scheduling());
    /// The implicit task of a thread in a region.
    ompd_get_task_in_parallel(
        [Parallel] parallel_handle: *mut ompd_parallel_handle_t, thread_num: c_int;
        task_handle: *mut ompd_task_handle_t
    ) = HANDLES.handle(parallel_handle.task_in(thread_num));
    /// The code that a task executes; 0 for an initial task.
    ompd_get_task_function(
        [Task] task_handle: *mut ompd_task_handle_t; entry_point: ompd_address_t
    ) = task_handle.task_function().map(at);
    /// The frame in which the runtime called a task's code, and the frame in which that code
    /// entered the runtime.
    ompd_get_task_frame(
        [Task] task_handle: *mut ompd_task_handle_t;
        exit_frame: ompd_frame_info_t, enter_frame: ompd_frame_info_t
    ) = task_handle.frames().map(|it| {
        let info = |address, flag: u32| ompd_frame_info_t {
            frame_address: at(address),
            frame_flag: flag.into(),
        };
        (info(it.exit, it.exit_flags), info(it.enter, it.enter_flags))
    });
}

omphalos_ompd_answers::given_back!(
    Task ompd_task_handle_t: ompd_rel_task_handle(task_handle),
    ompd_task_handle_compare(task_handle_1, task_handle_2)
);
