//! The entries that programs of GCC's compilers call about their code for devices.

use super::images;
use core::ffi::{c_int, c_void};
use omphalos_engine::target::played;

/// The version of tables that come without one.
const FIRST: u32 = 0;

unsafe extern "C" fn register_ver(
    version: u32,
    table: *const c_void,
    kind: c_int,
    data: *const c_void,
) {
    images::register(version, table, kind, data);
}

unsafe extern "C" fn unregister_ver(
    version: u32,
    table: *const c_void,
    kind: c_int,
    data: *const c_void,
) {
    if images::unregister(version, table, kind, data) {
        // The file goes when this returns, so the devices give its code and variables up before.
        for device in 0..played::known_count() {
            if let Some(driver) = played::driver(device) {
                drop(driver.begin());
            }
        }
    }
}

unsafe extern "C" fn register(table: *const c_void, kind: c_int, data: *const c_void) {
    images::register(FIRST, table, kind, data);
}

unsafe extern "C" fn unregister(table: *const c_void, kind: c_int, data: *const c_void) {
    // SAFETY: the caller's promise, which is that of `unregister_ver`.
    unsafe { unregister_ver(FIRST, table, kind, data) };
}

omphalos_sys::entries! {
    /// Code for devices comes with a file of the program (GOMP_4.0.1).
    GOMP_offload_register => register;
    /// The same, for a table with a version (GOMP_4.5).
    GOMP_offload_register_ver => register_ver;
    /// The code for devices goes (GOMP_4.0.1).
    GOMP_offload_unregister => unregister;
    /// The same, for a table with a version (GOMP_4.5).
    GOMP_offload_unregister_ver => unregister_ver;
}
