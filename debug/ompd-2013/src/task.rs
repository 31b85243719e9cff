//! Tasks.

use core::ffi::{c_int, c_void};

use omphalos_abi::earlier::ompd2013::*;
use omphalos_ompd_answers::memory::Places;
use omphalos_ompd_answers::{Answer, Code, Held, Kind};

use crate::{code, held, tell_all};

/// Functions that return a number for a task: `NAME(task) = ANSWER`.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident($task:ident) = $answer:expr;)+) => {
        omphalos_ompd_answers::answered! { $(
            $(#[$doc])*
            $name({context: *mut ompd_context_t} [Task] $task: ompd_task_handle_t; val: c_int)
                = c_int::try_from(i64::from($answer?)).map_err(|_| Code::Error);
        )+ }
    };
}

numbers! {
    /// `omp_get_max_threads`.
    ompd_get_max_threads(task) = task.number("nthreads-var");
    /// `omp_get_thread_num`.
    ompd_get_thread_num(task) = task.thread_num_of_task();
    /// `omp_in_parallel`.
    ompd_in_parallel(task) = task.in_parallel();
    /// `omp_in_final`.
    ompd_in_final(task) = task.is_final();
    /// `omp_get_dynamic`.
    ompd_get_dynamic(task) = task.number("dyn-var");
    /// `omp_get_nested`.
    ompd_get_nested(task) = task.nested();
    /// `omp_get_max_active_levels`.
    ompd_get_max_active_levels(task) = task.number("max-active-levels-var");
    /// `omp_get_proc_bind`, an `omp_proc_bind_t`.
    ompd_get_proc_bind(task) = task.number("bind-var");
}

omphalos_ompd_answers::answered! {
    /// The implicit tasks of a region, by the numbers of their threads.
    ompd_get_implicit_task_in_parallel(
        {context: *mut ompd_context_t} [Parallel] parallel_handle: ompd_parallel_handle_t,
        task_handle_array: *mut *mut ompd_task_handle_t; num_handles: c_int
    ) = {
        let all = parallel_handle.members(Held::task_in);
        // SAFETY: the caller's promise.
        unsafe { tell_all(context, all, task_handle_array) }
    };
    /// `omp_get_schedule`: an `omp_sched_t`, and the chunk.
    ompd_get_schedule(
        {context: *mut ompd_context_t} [Task] task_handle: ompd_task_handle_t;
        kind: c_int, modifier: c_int
    ) = task_handle.schedule();
    /// The code that a task executes.
    ompd_get_task_function(
        {context: *mut ompd_context_t} [Task] task_handle: ompd_task_handle_t;
        task_addr: ompd_taddr_t
    ) = task_handle.code_of_task();
}

/// The frame in which the runtime called a task's code, and the runtime's frame that this code
/// entered. Each result is an `ompd_taddr_t`, although the text gives it only a `void *`.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_frame(
    context: *mut ompd_context_t,
    task_handle: ompd_task_handle_t,
    sp_exit: *mut c_void,
    sp_reentry: *mut c_void,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let task = held(context, Kind::Task, task_handle)?;
        let places = (sp_exit.cast::<ompd_taddr_t>(), sp_reentry.cast::<ompd_taddr_t>());
        places.wanted()?;
        let frames = task.kept_frames()?;
        // SAFETY: the caller's promise.
        unsafe { places.put((frames.exit, frames.enter)) }
    };
    code(answer())
}
