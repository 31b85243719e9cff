//! The debugger's callbacks.

use core::ffi::{CStr, c_void};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::{Answer, Code};

/// The version of this interface: the first one, since current debuggers ask for it. Later versions
/// have the same table of callbacks and functions.
pub const API_VERSION: ompd_word_t = 201_811;
/// The versions that a debugger may ask for: 5.0, 5.1, 5.2, 6.0.
const SERVED: [ompd_word_t; 4] = [API_VERSION, 202_011, 202_111, 202_411];

/// Takes the debugger's table.
pub fn take(version: ompd_word_t, callbacks: Option<&ompd_callbacks_t>) -> Answer<()> {
    if SERVED.contains(&version) { keep(version, callbacks) } else { Err(Code::Unsupported) }
}

omphalos_ompd_answers::debugged_process!(
    alloc_memory free_memory sizeof_type device_to_host symbol_addr_lookup read_memory write_memory,
    ompd_device_type_sizes_t, |name, found, file| (name, found, file)
);
