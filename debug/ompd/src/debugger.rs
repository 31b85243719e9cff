//! The debugger's callbacks.

use core::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::{Answer, Code};

/// The version whose interface this is: that of the first one, as debuggers of today ask for it;
/// later ones have the same table of callbacks and functions.
pub const API_VERSION: ompd_word_t = 201_811;
/// What a debugger may ask for: 5.0, 5.1, 5.2, 6.0.
const SERVED: [ompd_word_t; 4] = [API_VERSION, 202_011, 202_111, 202_411];

static GIVEN: Mutex<Option<(ompd_word_t, ompd_callbacks_t)>> = Mutex::new(None);

fn given() -> Option<(ompd_word_t, ompd_callbacks_t)> {
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the debugger asked for; 0 before it did.
pub fn api_version() -> ompd_word_t {
    given().map_or(0, |given| given.0)
}

/// The debugger's table, if it gave one.
pub fn callbacks() -> Option<ompd_callbacks_t> {
    given().map(|given| given.1)
}

/// Takes the debugger's table.
pub fn take(version: ompd_word_t, callbacks: Option<&ompd_callbacks_t>) -> Answer<()> {
    if !SERVED.contains(&version) {
        return Err(Code::Unsupported);
    }
    let table = *callbacks.ok_or(Code::BadInput)?;
    let complete = table.alloc_memory.is_some()
        && table.free_memory.is_some()
        && table.symbol_addr_lookup.is_some()
        && table.read_memory.is_some();
    if !complete {
        return Err(Code::BadInput);
    }
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = Some((version, table));
    Ok(())
}

/// The debugger is done.
pub fn forget() -> Answer<()> {
    let before = GIVEN.lock().unwrap_or_else(PoisonError::into_inner).take();
    before.map(drop).ok_or(Code::Unsupported)
}

omphalos_ompd_answers::debugged_process!(
    alloc_memory free_memory sizeof_type device_to_host symbol_addr_lookup read_memory write_memory,
    ompd_device_type_sizes_t, |name, found, file| (name, found, file)
);
