//! The `affinity` clause of a task: a hint about data that the task uses, not followed.

use crate::shared::location::Ident;
use core::ffi::c_void;

omphalos_sys::exported_routines! {
    /// Notes the data that a task is close to; 0.
    __kmpc_omp_reg_task_with_affinity(
        _location: *const Ident, _gtid: i32, _task: *mut c_void, _count: i32, _list: *const c_void
    ) -> i32 = 0;
}
