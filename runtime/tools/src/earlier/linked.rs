//! Finds tools of OMPT's generations of 2013 to 2016 without a search.
//!
//! Weak references make the linker export the names from a program that is linked against the
//! runtime, as the default definitions of other runtimes do. So a tool in such a program is always
//! found. A program that was linked against another runtime exports nothing unless the linker is
//! told to; its own `ompt_tool` is found by the symbol table of its file.

use super::own_symbol::own_initialize;
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU8, Ordering};
use omphalos_abi::earlier::TOOL;
use omphalos_sys::program_file;

omphalos_sys::weak_references! {
    /// The addresses of `ompt_tool` and `ompt_initialize`, as the linker bound them.
    fn references() -> [2] of omphalos_linked_tools: ompt_tool, ompt_initialize
}

/// Returns the addresses of `ompt_tool` and `ompt_initialize`, each null if only the runtime
/// defines it. Async-signal-safe. The file is read once, and only if the linker has found neither.
pub fn bound() -> [*mut c_void; 2] {
    let [tool, mut initialize] = references();
    if initialize.cast_const() == own_initialize() {
        initialize = null_mut();
    }
    let nothing = tool.is_null() && initialize.is_null();
    [if nothing { in_program_file() } else { tool }, initialize]
}

/// Returns the program's `ompt_tool`, null if the symbol table of its file has none. Several
/// threads may look at once, and find the same.
fn in_program_file() -> *mut c_void {
    static LOOKED: AtomicU8 = AtomicU8::new(0);
    static FOUND: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    if LOOKED.load(Ordering::Acquire) == 0 {
        FOUND.store(program_file::function(TOOL).unwrap_or(null_mut()), Ordering::Relaxed);
        LOOKED.store(1, Ordering::Release);
    }
    FOUND.load(Ordering::Relaxed)
}
