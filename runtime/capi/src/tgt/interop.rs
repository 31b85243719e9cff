//! `interop` constructs. They make or free the object and wait for their dependences, and no more:
//! a device that the host plays has no foreign runtime whose work could be under way.

use super::data::number;
use crate::kmpc::task::{DependInfo, wait_on};
use crate::shared::interop;
use crate::shared::location::Ident;
use core::ffi::{c_int, c_void};
use omphalos_engine::target::played;
use omphalos_engine::{Caller, Thread, caller};

/// # Safety
/// The list has as many elements as said.
unsafe fn wait(count: i32, list: *const DependInfo, by: Caller) {
    if count > 0 {
        // SAFETY: the caller's promise.
        unsafe { wait_on([(count, list), (0, core::ptr::null())], by) };
    }
}

/// Returns the device that the construct means.
fn meant(device: i64) -> c_int {
    match number(device) {
        -1 => Thread::current().task().icvs().default_device,
        other => other,
    }
}

unsafe extern "C" fn init(
    _location: *const Ident,
    _gtid: i32,
    object: *mut *mut c_void,
    _kind: i32,
    device: i64,
    count: i32,
    list: *const DependInfo,
) {
    let by = caller();
    // SAFETY: LLVM's code keeps to its interface.
    unsafe {
        wait(count, list, by);
        if !object.is_null() {
            let played = played::are_played();
            *object = if played { interop::make(meant(device)) } else { core::ptr::null_mut() };
        }
    }
}

unsafe extern "C" fn uses(
    _location: *const Ident,
    _gtid: i32,
    _object: *mut *mut c_void,
    _device: i64,
    count: i32,
    list: *const DependInfo,
) {
    // SAFETY: as above.
    unsafe { wait(count, list, caller()) };
}

unsafe extern "C" fn destroy(
    _location: *const Ident,
    _gtid: i32,
    object: *mut *mut c_void,
    _device: i64,
    count: i32,
    list: *const DependInfo,
) {
    let by = caller();
    // SAFETY: as above.
    unsafe {
        wait(count, list, by);
        if !object.is_null() {
            interop::destroy(*object);
            *object = core::ptr::null_mut();
        }
    }
}

omphalos_sys::entries! {
    /// `interop init`: waits for its dependences.
    omphalos__tgt_interop_init => init;
    /// `interop use`: as above.
    omphalos__tgt_interop_use => uses;
    /// `interop destroy`: as above.
    omphalos__tgt_interop_destroy => destroy;
}
