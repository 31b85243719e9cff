//! Tasks (OpenMP 6.0, section 41.5).

use core::ffi::c_int;

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::{Answer, Kind, memory};

use crate::debugger::at;
use crate::{HANDLES, code};

omphalos_ompd_answers::handed_out! {
    /// The task that a thread executes.
    ompd_get_curr_task_handle(
        thread_handle: Thread ompd_thread_handle_t,
        task_handle: ompd_task_handle_t
    ) = current_task;
    /// The task that met the construct of a task.
    ompd_get_generating_task_handle(
        task_handle: Task ompd_task_handle_t,
        generating_task_handle: ompd_task_handle_t
    ) = generating;
    /// The task that was interrupted for a task on its thread.
    ompd_get_scheduling_task_handle(
        task_handle: Task ompd_task_handle_t,
        scheduling_task_handle: ompd_task_handle_t
    ) = scheduling;
}

/// The implicit task of a thread in a region.
///
/// # Safety
/// As [`ompd_get_curr_task_handle`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_in_parallel(
    parallel_handle: *mut ompd_parallel_handle_t,
    thread_num: c_int,
    task_handle: *mut *mut ompd_task_handle_t,
) -> ompd_rc_t {
    let answer = || HANDLES.held(Kind::Parallel, parallel_handle)?.task_in(thread_num);
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(task_handle, answer) })
}

omphalos_ompd_answers::given_back!(
    Task ompd_task_handle_t: ompd_rel_task_handle(task_handle),
    ompd_task_handle_compare(task_handle_1, task_handle_2)
);

/// The code that a task executes; 0 for an initial task.
///
/// # Safety
/// `entry_point` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_function(
    task_handle: *mut ompd_task_handle_t,
    entry_point: *mut ompd_address_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let task = HANDLES.held(Kind::Task, task_handle)?;
        memory::wanted(entry_point)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(entry_point, at(task.task_function()?)) }
    };
    code(answer())
}

/// Where the runtime left for a task's code, and where that entered the runtime.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_frame(
    task_handle: *mut ompd_task_handle_t,
    exit_frame: *mut ompd_frame_info_t,
    enter_frame: *mut ompd_frame_info_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let task = HANDLES.held(Kind::Task, task_handle)?;
        memory::wanted(exit_frame)?;
        memory::wanted(enter_frame)?;
        let frames = task.frames()?;
        let info = |address, flag: u32| ompd_frame_info_t {
            frame_address: at(address),
            frame_flag: flag.into(),
        };
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(exit_frame, info(frames.exit, frames.exit_flags))?;
            memory::put(enter_frame, info(frames.enter, frames.enter_flags))
        }
    };
    code(answer())
}
