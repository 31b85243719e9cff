//! Detached and proxy tasks in LLVM's interface.

use crate::shared::location::Ident;
use core::ffi::c_void;
use omphalos_engine::Thread;
use omphalos_engine::tasks::{self, Task};

/// The event of a detachable task that is about to be made.
///
/// # Safety
/// `task` came from `__kmpc_omp_task_alloc` and was not made yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_task_allow_completion_event(
    _location: *const Ident,
    _gtid: i32,
    task: *mut c_void,
) -> usize {
    // SAFETY: the caller's promise.
    tasks::allow_event(Thread::current(), unsafe { Task::of_payload(task) })
}

/// What a proxy task began has ended; on a thread of OpenMP's.
///
/// # Safety
/// `task` is a proxy task that was made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_proxy_task_completed(_gtid: i32, task: *mut c_void) {
    // SAFETY: the caller's promise; a proxy task's event is its record.
    unsafe { tasks::fulfil(core::ptr::from_ref(Task::of_payload(task)) as usize) };
}

/// What a proxy task began has ended; on any thread.
///
/// # Safety
/// `task` is a proxy task that was made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_proxy_task_completed_ooo(task: *mut c_void) {
    // SAFETY: as above.
    unsafe { tasks::fulfil(core::ptr::from_ref(Task::of_payload(task)) as usize) };
}
