//! `libompd-2013.so`: OMPD of April 2013, over the same answers as `libompd.so`. Handles are values
//! here that nobody gives back, the same for the same thing; the debugger names a process by its
//! own context in each call; where a call has none, the one that it named last is meant. Both names
//! are there of each function that the text calls by two.
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
use omphalos_ompd_answers::{Answer, Code, HandleStore, Held, Kind, memory};

/// Handles that the debugger was told.
static HANDLES: HandleStore = HandleStore::new();

/// The code that a function returns: this generation has none for what came later.
fn code(answer: Answer<()>) -> ompd_rc_t {
    match answer.err().unwrap_or(Code::Ok) {
        Code::Incomplete => ompd_rc_ok,
        Code::IncompatibleHandle => ompt_rc_bad_input,
        code if code as ompd_rc_t > ompd_rc_needs_state_tracking => ompt_rc_error,
        code => code as ompd_rc_t,
    }
}

/// What a handle names in a process.
fn held(context: *mut ompd_context_t, kind: Kind, handle: u64) -> Answer<Held> {
    let space = debugger::process(context)?;
    let held = HANDLES.get(kind, handle)?;
    if std::sync::Arc::ptr_eq(&space, &held.space) { Ok(held) } else { Err(Code::BadInput) }
}

/// Tells a handle.
///
/// # Safety
/// `to` is null or points to a place for it.
unsafe fn put_handle(to: *mut u64, answer: impl FnOnce() -> Answer<Held>) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        memory::wanted(to)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(to, HANDLES.constant(answer()?)?) }
    };
    code(answer())
}

/// Tells handles, in the debugger's memory; only their number where none is wanted.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
unsafe fn tell_all(
    context: *mut ompd_context_t,
    array: *mut *mut u64,
    count: *mut c_int,
    all: impl FnOnce() -> Answer<Vec<Held>>,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        memory::wanted(count)?;
        let space = debugger::process(context)?;
        let all = all()?;
        let number = c_int::try_from(all.len()).map_err(|_| Code::Error)?;
        if !array.is_null() {
            let handles: Answer<Vec<u64>> =
                all.into_iter().map(|held| HANDLES.constant(held)).collect();
            // SAFETY: the caller's promise.
            unsafe { memory::put(array, memory::words(space.debugger(), &handles?)?) }?;
        }
        // SAFETY: the caller's promise.
        unsafe { memory::put(count, number) }
    };
    code(answer())
}

/// Writes what is asked of a handle.
///
/// # Safety
/// `to` is null or points to a place for it.
unsafe fn put<T>(
    context: *mut ompd_context_t,
    kind: Kind,
    handle: u64,
    to: *mut T,
    ask: impl FnOnce(&Held) -> Answer<T>,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let held = held(context, kind, handle)?;
        memory::wanted(to)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(to, ask(&held)?) }
    };
    code(answer())
}
