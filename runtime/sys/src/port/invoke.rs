//! Calls from the runtime into user code.

use core::ffi::c_void;

/// How many words [`call_kernel`] reads at least.
pub const REGISTERS: usize = 6;

/// # Safety
/// See `x86_64/invoke/mod.rs`.
pub unsafe extern "C" fn call_with_data(
    _code: *const c_void,
    _data: *mut c_void,
    _exit_frame: *mut u64,
) {
    super::missing()
}

/// # Safety
/// See `x86_64/invoke/mod.rs`.
pub unsafe extern "C" fn call_region<const KEPT: isize>(
    _code: *const c_void,
    _data: *mut c_void,
    _exit_frame: *mut u64,
) {
    super::missing()
}

/// # Safety
/// See `x86_64/invoke/mod.rs`.
pub unsafe extern "C" fn call_task_entry(
    _code: *const c_void,
    _gtid: i32,
    _task: *mut c_void,
    _exit_frame: *mut u64,
) {
    super::missing()
}

/// # Safety
/// See `x86_64/invoke/mod.rs`.
pub unsafe extern "C" fn call_task_part(
    _code: *const c_void,
    _gtid: i32,
    _task: *mut c_void,
    _exit_frame: *mut u64,
) {
    super::missing()
}

/// # Safety
/// See `x86_64/invoke/mod.rs`.
pub unsafe extern "C" fn call_microtask<const KEPT: isize>(
    _code: *const c_void,
    _gtid: i32,
    _tid: i32,
    _argc: usize,
    _args: *const *mut c_void,
    _exit_frame: *mut u64,
) {
    super::missing()
}

/// # Safety
/// See `x86_64/invoke/mod.rs`.
pub unsafe extern "C" fn call_kernel(
    _code: *const c_void,
    _argc: usize,
    _args: *const *mut c_void,
    _exit_frame: *mut u64,
) {
    super::missing()
}
