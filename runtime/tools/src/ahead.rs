//! Finds out without a search that there is no tool.
//!
//! The search would ask the dynamic linker, which takes its lock. A thread that loads a library
//! holds this lock while the library's constructors run. Such a constructor may call a routine and
//! wait until the tools have started. Then the search and that thread would wait for each other. So
//! the linker is not asked if no variable concerns tools, no loaded file defines a name by which
//! tools are found, and the program's file has no `ompt_tool` that it does not export.

use crate::{earlier, settings};
use core::ffi::CStr;
use omphalos_abi::earlier::{INITIALIZE, TOOL};
use omphalos_abi::ompt::START_TOOL;
use omphalos_sync::process_lock::in_loader;
use omphalos_sys::dynamic::nobody_else_defines;
use omphalos_sys::environment;

/// The three functions by which tools are found, newest first.
pub const NAMES: [&CStr; 3] = [START_TOOL, TOOL, INITIALIZE];

/// Whether it is certain that there is no tool. Called by the thread that starts the runtime.
pub fn no_tool() -> bool {
    let mut said = false;
    environment::each(settings::INITIALS, |name, _| said |= settings::VARIABLES.contains(&name));
    !said && in_loader(|| nobody_else_defines(&NAMES)) && earlier::bound()[0].is_null()
}
