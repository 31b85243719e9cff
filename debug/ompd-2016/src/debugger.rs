//! The debugger's callbacks.

use core::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::{Answer, Code};

static GIVEN: Mutex<Option<ompd_callbacks_t>> = Mutex::new(None);

/// The debugger's table, if it gave one.
pub fn callbacks() -> Option<ompd_callbacks_t> {
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the debugger's table.
pub fn take(callbacks: Option<&ompd_callbacks_t>) -> Answer<()> {
    let table = *callbacks.ok_or(Code::BadInput)?;
    let complete = table.d_alloc_memory.is_some()
        && table.d_free_memory.is_some()
        && table.t_symbol_addr_lookup.is_some()
        && table.t_read_memory.is_some();
    if !complete {
        return Err(Code::BadInput);
    }
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
    Ok(())
}

/// The debugger is done.
pub fn forget() -> Answer<()> {
    let before = GIVEN.lock().unwrap_or_else(PoisonError::into_inner).take();
    before.map(drop).ok_or(Code::Unsupported)
}

omphalos_ompd_answers::debugged_process!(
    d_alloc_memory d_free_memory t_sizeof_prim_type target_to_host t_symbol_addr_lookup
    t_read_memory t_write_memory,
    ompd_target_type_sizes_t, |name, found, _file| (name, found)
);
