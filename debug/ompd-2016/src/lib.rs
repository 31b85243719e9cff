//! `libompd-2016.so`: OMPD of the report of 2016 (version 2.001), with the names that the following
//! year's draft gave some functions, over the same answers as `libompd.so`. A library of its own,
//! because functions of the same name take other arguments there.
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
use omphalos_ompd_answers::{Answer, Code, Debugger, HandleStore, Held, Kind, memory};

/// Handles and lists that the debugger holds.
static HANDLES: HandleStore = HandleStore::new();

/// The code that a function returns: this generation has none for what came later.
fn code(answer: Answer<()>) -> ompd_rc_t {
    match answer.err().unwrap_or(Code::Ok) {
        Code::Incomplete => ompd_rc_ok,
        Code::CallbackError => ompd_rc_error,
        Code::IncompatibleHandle => ompd_rc_bad_input,
        code => code as ompd_rc_t,
    }
}

/// Hands out a vector of handles, in the debugger's memory; only their number where none is wanted.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
unsafe fn hand_out_all<T>(
    debugger: &dyn Debugger,
    all: Vec<Held>,
    vector: *mut *mut *mut T,
    count: *mut c_int,
) -> Answer<()> {
    memory::wanted(count)?;
    let number = c_int::try_from(all.len()).map_err(|_| Code::Error)?;
    if !vector.is_null() {
        let mut handles = Vec::with_capacity(all.len());
        for held in all {
            handles.push(HANDLES.hand_out(held)?);
        }
        // SAFETY: the caller's promise.
        unsafe { memory::put(vector, memory::words(debugger, &handles)?.cast()) }?;
    }
    // SAFETY: the caller's promise.
    unsafe { memory::put(count, number) }
}

/// Writes a number that is asked of a handle.
///
/// # Safety
/// `val` is null or points to a place for it.
unsafe fn number<T>(
    kind: Kind,
    handle: *const T,
    val: *mut ompd_tword_t,
    ask: impl FnOnce(&Held) -> Answer<i64>,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let held = HANDLES.held(kind, handle)?;
        memory::wanted(val)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(val, ask(&held)?) }
    };
    code(answer())
}

/// Writes an address of code that is asked of a handle.
///
/// # Safety
/// `to` is null or points to a place for it.
unsafe fn address<T>(
    kind: Kind,
    handle: *const T,
    to: *mut ompd_address_t,
    ask: impl FnOnce(&Held) -> Answer<u64>,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let held = HANDLES.held(kind, handle)?;
        memory::wanted(to)?;
        let address = ompd_address_t { segment: OMPD_SEGMENT_UNSPECIFIED, address: ask(&held)? };
        // SAFETY: the caller's promise.
        unsafe { memory::put(to, address) }
    };
    code(answer())
}

/// Writes a text that is the same for the same thing, which is the debugger's to free.
///
/// # Safety
/// `string_id` is null or points to a place for it.
unsafe fn name<T>(kind: Kind, handle: *mut T, string_id: *mut *mut c_char) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let held = HANDLES.held(kind, handle)?;
        memory::wanted(string_id)?;
        let text = memory::text(held.space.debugger(), &held.name())?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(string_id, text.cast_mut()) }
    };
    code(answer())
}
