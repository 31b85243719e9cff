//! Tasks.

use core::ffi::{c_char, c_int};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::{Answer, Held, Kind, memory};

use crate::{HANDLES, address, code, hand_out_all, name, number};

omphalos_ompd_answers::handed_out! {
    /// The task that a thread executes.
    ompd_get_top_task_region(
        thread_handle: Thread ompd_thread_handle_t,
        task_handle: ompd_task_handle_t
    ) = current_task;
    /// The draft's name of [`ompd_get_top_task_region`].
    ompd_get_current_task_handle(
        thread_handle: Thread ompd_thread_handle_t,
        task_handle: ompd_task_handle_t
    ) = current_task;
    /// The task that met the construct of a task.
    ompd_get_generating_ancestor_task_region(
        task_handle: Task ompd_task_handle_t,
        parent_task_handle: ompd_task_handle_t
    ) = generating;
    /// The task that was interrupted for a task on its thread.
    ompd_get_scheduling_ancestor_task_region(
        task_handle: Task ompd_task_handle_t,
        parent_task_handle: ompd_task_handle_t
    ) = scheduling;
}

/// The implicit tasks of a region, by the numbers of their threads.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_implicit_task_in_parallel(
    parallel_handle: *mut ompd_parallel_handle_t,
    task_handle_vector: *mut *mut *mut ompd_task_handle_t,
    num_handles: *mut c_int,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let region = HANDLES.held(Kind::Parallel, parallel_handle)?;
        let all = region.members(Held::task_in)?;
        let debugger = region.space.debugger();
        // SAFETY: the caller's promise.
        unsafe { hand_out_all(debugger, all, task_handle_vector, num_handles) }
    };
    code(answer())
}

omphalos_ompd_answers::given_back!(
    Task ompd_task_handle_t: ompd_release_task_handle(task_handle),
    ompd_task_handle_compare(task_handle_1, task_handle_2)
);

/// A text that is the same for the same task.
///
/// # Safety
/// `string_id` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_handle_string_id(
    task_handle: *mut ompd_task_handle_t,
    string_id: *mut *mut c_char,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { name(Kind::Task, task_handle, string_id) }
}

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident($handle:ty) => $ask:expr;)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// `val` is null or points to a place for it.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                task_handle: $handle,
                val: *mut ompd_tword_t,
            ) -> ompd_rc_t {
                // SAFETY: the caller's promise.
                unsafe { number(Kind::Task, task_handle, val, $ask) }
            }
        )*
    };
}

numbers! {
    /// `omp_get_level`.
    ompd_get_level(*mut ompd_task_handle_t) =>
        |task: &Held| Ok(task.parallel_of_task()?.level()?.into());
    /// `omp_get_active_level`.
    ompd_get_active_level(*mut ompd_task_handle_t) =>
        |task: &Held| Ok(task.parallel_of_task()?.active_level()?.into());
    /// `omp_get_max_threads`.
    ompd_get_max_threads(*const ompd_task_handle_t) => |task: &Held| task.number("nthreads-var");
    /// `omp_in_parallel`.
    ompd_in_parallel(*const ompd_task_handle_t) => |task: &Held| Ok(task.in_parallel()?.into());
    /// `omp_in_final`.
    ompd_in_final(*const ompd_task_handle_t) => |task: &Held| Ok(task.is_final()?.into());
    /// `omp_get_dynamic`.
    ompd_get_dynamic(*const ompd_task_handle_t) => |task: &Held| task.number("dyn-var");
    /// `omp_get_nested`.
    ompd_get_nested(*const ompd_task_handle_t) => |task: &Held| Ok(task.nested()?.into());
    /// Whether no task construct made it.
    ompd_is_implicit(*mut ompd_task_handle_t) => |task: &Held| Ok(task.is_implicit()?.into());
}

/// `omp_get_schedule`.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_schedule(
    task_handle: *mut ompd_task_handle_t,
    kind: *mut ompd_sched_t,
    modifier: *mut ompd_tword_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let task = HANDLES.held(Kind::Task, task_handle)?;
        memory::wanted(kind)?;
        memory::wanted(modifier)?;
        let (found, chunk) = task.schedule()?;
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(kind, found)?;
            memory::put(modifier, chunk.into())
        }
    };
    code(answer())
}

/// `omp_get_proc_bind`.
///
/// # Safety
/// `bind` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_proc_bind(
    task_handle: *mut ompd_task_handle_t,
    bind: *mut ompd_proc_bind_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let task = HANDLES.held(Kind::Task, task_handle)?;
        memory::wanted(bind)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(bind, task.number("bind-var")? as ompd_proc_bind_t) }
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
    exit_runtime_addr: *mut ompd_address_t,
    reenter_runtime_addr: *mut ompd_address_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let task = HANDLES.held(Kind::Task, task_handle)?;
        memory::wanted(exit_runtime_addr)?;
        memory::wanted(reenter_runtime_addr)?;
        let frames = task.kept_frames()?;
        let at = |address| ompd_address_t { segment: OMPD_SEGMENT_UNSPECIFIED, address };
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(exit_runtime_addr, at(frames.exit))?;
            memory::put(reenter_runtime_addr, at(frames.enter))
        }
    };
    code(answer())
}

/// The code that a task executes.
///
/// # Safety
/// `entry_point` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_function(
    task_handle: *mut ompd_task_handle_t,
    entry_point: *mut ompd_address_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { address(Kind::Task, task_handle, entry_point, Held::code_of_task) }
}
