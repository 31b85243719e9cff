//! Detached and proxy tasks in LLVM's interface.

use crate::shared::location::Ident;
use core::ffi::c_void;
use omphalos_engine::Thread;
use omphalos_engine::tasks::{self, Task};

omphalos_sys::exported_routines! {
    /// The event of a detachable task that is about to be made.
    __kmpc_task_allow_completion_event(
        _location: *const Ident, _gtid: i32, task: *mut c_void
    ) -> usize = tasks::allow_event(Thread::current(), Task::of_payload(task));
    /// The work that a proxy task began has ended; called on a thread of OpenMP's.
    __kmpc_proxy_task_completed(_gtid: i32, task: *mut c_void)
        = tasks::fulfil(core::ptr::from_ref(Task::of_payload(task)) as usize);
    /// The work that a proxy task began has ended; called on any thread.
    __kmpc_proxy_task_completed_ooo(task: *mut c_void)
        = tasks::fulfil(core::ptr::from_ref(Task::of_payload(task)) as usize);
}
