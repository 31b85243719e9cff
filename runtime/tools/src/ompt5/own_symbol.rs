//! The runtime's own, weak `ompt_start_tool`: programs may link against it, a tool overrides it.
//!
//! The exported symbol can resolve to another file's definition even inside this library. So a
//! second, hidden label on the same instruction gives the address of the runtime's own.

use crate::search;
use core::ffi::{c_char, c_uint};
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_abi::ompt::{START_TOOL, ompt_start_tool_result_t, ompt_start_tool_t};

omphalos_sys::weak_entry! {
    pub fn own_address() of omphalos_own_start_tool: ompt_start_tool => default_start_tool
}

/// The body of the runtime's weak `ompt_start_tool`. If another runtime in the process finds it, it
/// asks the next definition, so that it never hides a tool. Returns null if there is none.
///
/// # Safety
/// The version string must be one that `ompt_start_tool` may be given.
unsafe extern "C" fn default_start_tool(
    omp_version: c_uint,
    runtime_version: *const c_char,
) -> *mut ompt_start_tool_result_t {
    /// Set while the next definition is asked: two such forwarders may find each other.
    static ASKING: AtomicBool = AtomicBool::new(false);
    let Some(next) = search::in_address_space(START_TOOL, own_address()) else {
        return core::ptr::null_mut();
    };
    if ASKING.swap(true, Ordering::Acquire) {
        return core::ptr::null_mut();
    }
    // SAFETY: every definition of this name has this type, by the specification.
    let next: ompt_start_tool_t = unsafe { core::mem::transmute(next) };
    // SAFETY: the arguments are passed on as they came.
    let result = unsafe { next(omp_version, runtime_version) };
    ASKING.store(false, Ordering::Release);
    result
}
