//! `libompd-2013.so`: OMPD of April 2013, over the same answers as `libompd.so`. Handles are values
//! here: the same thing always has the same handle, and nobody gives handles back. The debugger
//! names a process in each call by its own context; a call without a context is about the process
//! that was named last. A function that the text calls by two names is here under both.
//!
//! What must hold: as in `omphalos-ompd`.
#![allow(non_upper_case_globals)]

mod debugger;
mod library;
mod region;
mod state;
mod task;
mod thread;

use core::ffi::c_int;

use omphalos_abi::earlier::ompd2013::*;
use omphalos_ompd_answers::memory::{self, Places};
use omphalos_ompd_answers::{Answer, Code, HandleStore, Held, Kind};

/// The handles that the debugger got.
static HANDLES: HandleStore = HandleStore::new();

/// The code that a function returns. This generation lacks the later codes.
fn code(answer: Answer<()>) -> ompd_rc_t {
    match answer.err().unwrap_or(Code::Ok) {
        Code::Incomplete => ompd_rc_ok,
        Code::IncompatibleHandle => ompt_rc_bad_input,
        code if code as ompd_rc_t > ompd_rc_needs_state_tracking => ompt_rc_error,
        code => code as ompd_rc_t,
    }
}

/// Finds the record that a handle names in a process.
fn held(context: *mut ompd_context_t, kind: Kind, handle: u64) -> Answer<Held> {
    let space = debugger::process(context)?;
    let held = HANDLES.get(kind, handle)?;
    if std::sync::Arc::ptr_eq(&space, &held.space) { Ok(held) } else { Err(Code::BadInput) }
}

/// Writes handles into the debugger's memory and returns their number. With a null array it only
/// returns the number.
///
/// # Safety
/// `array` is null or points to a place for it.
unsafe fn tell_all(
    context: *mut ompd_context_t,
    all: Answer<Vec<Held>>,
    array: *mut *mut u64,
) -> Answer<c_int> {
    let all = all?;
    let number = c_int::try_from(all.len()).map_err(|_| Code::Error)?;
    if !array.is_null() {
        let handles: Answer<Vec<u64>> = all.into_iter().map(|it| HANDLES.constant(it)).collect();
        let space = debugger::process(context)?;
        // SAFETY: the caller's promise.
        unsafe { array.put(memory::words(space.debugger(), &handles?)?) }?;
    }
    Ok(number)
}
