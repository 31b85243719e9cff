//! Tasks.

use core::ffi::{c_int, c_void};

use omphalos_abi::earlier::ompd2013::*;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, memory};

use crate::{code, held, put, tell_all};

/// The implicit tasks of a region, by the numbers of their threads.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_implicit_task_in_parallel(
    context: *mut ompd_context_t,
    parallel_handle: ompd_parallel_handle_t,
    task_handle_array: *mut *mut ompd_task_handle_t,
    num_handles: *mut c_int,
) -> ompd_rc_t {
    let all = || held(context, Kind::Parallel, parallel_handle)?.members(Held::task_in);
    // SAFETY: the caller's promise.
    unsafe { tell_all(context, task_handle_array, num_handles, all) }
}

fn small(number: i64) -> Answer<c_int> {
    c_int::try_from(number).map_err(|_| Code::Error)
}

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident => $ask:expr;)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// `val` is null or points to a place for it.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                context: *mut ompd_context_t,
                task_handle: ompd_task_handle_t,
                val: *mut c_int,
            ) -> ompd_rc_t {
                // SAFETY: the caller's promise.
                unsafe { put(context, Kind::Task, task_handle, val, $ask) }
            }
        )*
    };
}

numbers! {
    /// `omp_get_max_threads`.
    ompd_get_max_threads => |task: &Held| small(task.number("nthreads-var")?);
    /// `omp_get_thread_num`.
    ompd_get_thread_num => |task: &Held| small(task.thread_num_of_task()?);
    /// `omp_in_parallel`.
    ompd_in_parallel => |task: &Held| Ok(task.in_parallel()?.into());
    /// `omp_in_final`.
    ompd_in_final => |task: &Held| Ok(task.is_final()?.into());
    /// `omp_get_dynamic`.
    ompd_get_dynamic => |task: &Held| small(task.number("dyn-var")?);
    /// `omp_get_nested`.
    ompd_get_nested => |task: &Held| Ok(task.nested()?.into());
    /// `omp_get_max_active_levels`.
    ompd_get_max_active_levels => |task: &Held| small(task.number("max-active-levels-var")?);
    /// `omp_get_proc_bind`, an `omp_proc_bind_t`.
    ompd_get_proc_bind => |task: &Held| small(task.number("bind-var")?);
}

/// `omp_get_schedule`: an `omp_sched_t`, and the chunk.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_schedule(
    context: *mut ompd_context_t,
    task_handle: ompd_task_handle_t,
    kind: *mut c_int,
    modifier: *mut c_int,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let task = held(context, Kind::Task, task_handle)?;
        memory::wanted(kind)?;
        memory::wanted(modifier)?;
        let (found, chunk) = task.schedule()?;
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(kind, found)?;
            memory::put(modifier, chunk)
        }
    };
    code(answer())
}

/// Where the runtime left for a task's code, and the runtime's frame that this entered:
/// `ompd_taddr_t` each, though the text gives them no more than `void *`.
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
        memory::wanted(sp_exit)?;
        memory::wanted(sp_reentry)?;
        let frames = task.kept_frames()?;
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(sp_exit.cast::<ompd_taddr_t>(), frames.exit)?;
            memory::put(sp_reentry.cast::<ompd_taddr_t>(), frames.enter)
        }
    };
    code(answer())
}

/// The code that a task executes.
///
/// # Safety
/// `task_addr` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_function(
    context: *mut ompd_context_t,
    task_handle: ompd_task_handle_t,
    task_addr: *mut ompd_taddr_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { put(context, Kind::Task, task_handle, task_addr, Held::code_of_task) }
}
