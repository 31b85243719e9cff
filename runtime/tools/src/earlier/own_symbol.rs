//! The runtime's own, weak `ompt_initialize` (2013, 7.1.1): programs may link against it, a tool
//! overrides it.
//!
//! Tools of 5.0 and of 2014 give their own initializers the same name. If such a tool's library was
//! loaded after the runtime, the linker binds the library's own uses of the name to the runtime's
//! definition: the first in its order wins. So if the runtime's definition comes in place of a
//! tool's, the tool's own is called. It is found by the file that the tool is in, if that is known.

use crate::search;
use core::ffi::{c_int, c_void};
use omphalos_abi::earlier::INITIALIZE;

omphalos_sys::weak_entry! {
    pub fn own_initialize() of omphalos_own_initialize: ompt_initialize => default_initialize
}

/// Returns the initializer that a tool's file means by `address`: the file's own, if the linker
/// gave it the runtime's. `place` is a function of that file.
pub fn meant_by(place: *const c_void, address: *const c_void) -> Option<*const c_void> {
    if address != own_initialize() {
        return Some(address);
    }
    let own = search::defined_beside(place, INITIALIZE);
    (!own.is_null()).then_some(own.cast_const())
}

/// The body of the runtime's weak `ompt_initialize`: returns 0, unless a tool means its own
/// initializer. A tool that starts another one passes a data word in the other one's file, as 5.0
/// has it, and by that the file is known.
///
/// # Safety
/// The arguments are those of one of the generations; the one of 2013 has none.
unsafe extern "C" fn default_initialize(
    lookup: *const c_void,
    number: *const c_void,
    data: *const c_void,
) -> c_int {
    let beside = search::defined_beside(data, INITIALIZE);
    let all = if beside.is_null() { search::in_every_file([INITIALIZE]) } else { vec![[beside]] };
    let &[[tool]] = all.as_slice() else { return 0 };
    type Initialize = unsafe extern "C" fn(*const c_void, *const c_void, *const c_void) -> c_int;
    // SAFETY: a definition of the name, of one of these types.
    let tool: Initialize = unsafe { core::mem::transmute(tool) };
    // SAFETY: the arguments are passed on as they came.
    unsafe { tool(lookup, number, data) }
}
