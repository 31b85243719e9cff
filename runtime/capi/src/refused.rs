//! A program calls a name that is not offered: one line says so, and the program ends.
//!
//! The link step writes a stub for each such name (see `runtime/library/symbols`). So the program
//! loads and runs until it calls one, instead of failing in the loader with a message about
//! versions.

use core::ffi::{CStr, c_char};
use omphalos_sys::message;

/// Ends the program, with its exit handlers and status 1.
///
/// # Safety
/// Called by the link step's stubs only, with two C strings: the called name and its interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_refused(name: *const c_char, what: *const c_char) -> ! {
    // SAFETY: the caller's promise.
    let (name, what) = unsafe { (CStr::from_ptr(name), CStr::from_ptr(what)) };
    let (name, what) = (name.to_string_lossy(), what.to_string_lossy());
    message!(
        "the program calls {name}, which belongs to {what}: Omphalos does not offer {what}; \
         run the program on GCC's libgomp"
    );
    omphalos_sys::process::exit(1)
}
