//! `interop` constructs: devices have no foreign runtime, so objects are `omp_interop_none`.

use crate::kmpc::task::{DependInfo, wait_on};
use crate::shared::location::Ident;
use core::ffi::c_void;
use omphalos_engine::{Caller, caller};

/// What a construct leaves.
///
/// # Safety
/// The object's place may be written; the list has as many elements as said.
unsafe fn none(object: *mut *mut c_void, count: i32, list: *const DependInfo, by: Caller) {
    // SAFETY: the caller's promise.
    unsafe {
        if count > 0 {
            wait_on([(count, list), (0, core::ptr::null())], by);
        }
        if !object.is_null() {
            *object = core::ptr::null_mut();
        }
    }
}

unsafe extern "C" fn init(
    _location: *const Ident,
    _gtid: i32,
    object: *mut *mut c_void,
    _kind: i32,
    _device: i64,
    count: i32,
    list: *const DependInfo,
) {
    // SAFETY: LLVM's code keeps to its interface.
    unsafe { none(object, count, list, caller()) };
}

unsafe extern "C" fn end(
    _location: *const Ident,
    _gtid: i32,
    object: *mut *mut c_void,
    _device: i64,
    count: i32,
    list: *const DependInfo,
) {
    // SAFETY: as above.
    unsafe { none(object, count, list, caller()) };
}

omphalos_sys::entries! {
    /// `interop init`: waits for its dependences.
    omphalos__tgt_interop_init => init;
    /// `interop use`: as above.
    omphalos__tgt_interop_use => end;
    /// `interop destroy`: as above.
    omphalos__tgt_interop_destroy => end;
}
