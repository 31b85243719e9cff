//! Libraries of the process: names looked up, files loaded.
//!
//! None of this is async-signal-safe: the dynamic linker takes locks. Who may meet a fork calls
//! it through `omphalos_sync::process_lock::in_loader` where that says so.

use core::ffi::{CStr, c_void};

fn look_up(scope: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name ends with a zero; the callers pass open handles or pseudo handles.
    let found = unsafe { libc::dlsym(scope, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The first definition of `name` in the global scope: the program and what was loaded with it.
pub fn find(name: &CStr) -> Option<*mut c_void> {
    look_up(libc::RTLD_DEFAULT, name)
}

/// The first definition of `name` behind this library's in the scope that it was loaded into.
pub fn find_behind(name: &CStr) -> Option<*mut c_void> {
    look_up(libc::RTLD_NEXT, name)
}
