//! `libompd-2016.so`: OMPD of the report of 2016 (version 2.001), with some functions also under
//! the names of the following year's draft, over the same answers as `libompd.so`. It is a library
//! of its own because functions of the same name take other arguments there.
//!
//! What must hold: as in `omphalos-ompd`.
#![allow(non_upper_case_globals)]

mod debugger;
mod process;
mod region;
mod state;
mod task;
mod thread;

use core::ffi::{c_char, c_int};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::memory::{self, Places};
use omphalos_ompd_answers::{Answer, Code, HandleStore, Held, Kind};

/// Handles and lists that the debugger holds.
static HANDLES: HandleStore = HandleStore::new();

/// Finds the record that a handle names.
fn held<T>(kind: Kind, handle: *const T) -> Answer<Held> {
    HANDLES.get(kind, handle as u64)
}

/// The code that a function returns. This generation lacks the later codes.
fn code(answer: Answer<()>) -> ompd_rc_t {
    match answer.err().unwrap_or(Code::Ok) {
        Code::Incomplete => ompd_rc_ok,
        Code::CallbackError => ompd_rc_error,
        Code::IncompatibleHandle => ompd_rc_bad_input,
        code => code as ompd_rc_t,
    }
}

/// Writes a vector of handles into the debugger's memory and returns their number. With a null
/// vector it only returns the number.
///
/// # Safety
/// `vector` is null or points to a place for it.
unsafe fn hand_out_all<T>(
    of: &Held,
    all: Answer<Vec<Held>>,
    vector: *mut *mut *mut T,
) -> Answer<c_int> {
    let all = all?;
    let number = c_int::try_from(all.len()).map_err(|_| Code::Error)?;
    if !vector.is_null() {
        let handles: Answer<Vec<u64>> = all.into_iter().map(|it| HANDLES.hand_out(it)).collect();
        // SAFETY: the caller's promise.
        unsafe { vector.put(memory::words(of.space.debugger(), &handles?)?.cast()) }?;
    }
    Ok(number)
}

/// A text that is the same for the same thing. The debugger frees it.
fn name(held: &Held) -> Answer<*mut c_char> {
    memory::text(held.space.debugger(), &held.name()).map(<*const c_char>::cast_mut)
}
