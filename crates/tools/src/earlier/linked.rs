//! The functions by which tools of these generations are found, as the dynamic linker knows them.
//!
//! The runtime refers to `ompt_tool`, and has a weak `ompt_initialize` that returns 0, as 2013
//! wants it. Either makes the linker export the name from a program that is linked against the
//! runtime. In a program that was linked so, a tool is always found.

use crate::search;
use core::ffi::{c_int, c_void};
use omphalos_abi::earlier::INITIALIZE;

omphalos_sys::weak_entry! {
    fn own_initialize() of omphalos_own_initialize: ompt_initialize => no_tool
}

/// There is no tool.
unsafe extern "C" fn no_tool() -> c_int {
    0
}

omphalos_sys::weak_references! {
    /// The address of `ompt_tool`, null if nothing defines it.
    fn linked() -> [1] of omphalos_linked_tools: ompt_tool
}

/// The addresses of `ompt_tool` and `ompt_initialize`, each null if no tool defines it.
pub fn bound() -> [*mut c_void; 2] {
    let [tool] = linked();
    let early = search::in_address_space(INITIALIZE, own_initialize());
    [tool, early.unwrap_or(core::ptr::null_mut())]
}

/// The address of a definition, null if it is the runtime's own.
pub fn not_own(definition: *mut c_void) -> *mut c_void {
    if definition.cast_const() == own_initialize() { core::ptr::null_mut() } else { definition }
}
