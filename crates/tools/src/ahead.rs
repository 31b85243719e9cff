//! Finding out without a search that there is no tool.
//!
//! The search asks the dynamic linker, behind whose lock constructors of libraries run that are
//! being loaded: one that calls a routine waits until the tools are started, so the search would
//! wait for the one who waits for it. Where no variable speaks of tools and no loaded file defines
//! a name by which tools are found, nothing is asked.

use crate::ompt5::own_address;
use crate::{search, settings};
use core::ffi::CStr;
use omphalos_abi::earlier::{INITIALIZE, TOOL};
use omphalos_abi::ompt::START_TOOL;
use omphalos_sys::environment;

/// The three functions by which tools are found, newest first.
pub const NAMES: [&CStr; 3] = [START_TOOL, TOOL, INITIALIZE];

/// Whether it is known that there is no tool. For the thread that starts the runtime.
pub fn no_tool() -> bool {
    let mut said = false;
    environment::each(settings::INITIALS, |name, _| said |= settings::VARIABLES.contains(&name));
    !said && search::nobody_defines(&NAMES, own_address())
}
