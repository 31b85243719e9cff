//! `libompd.so`: OMPD 5.0 to 6.0 over `ompd-view`, for debuggers. Only the debugger's callbacks
//! allocate what the debugger frees, and read.
//!
//! One file for each group of functions, as the specification has them; each checks and converts
//! arguments, asks `omphalos-ompd-answers` and writes the result. What must hold: no function
//! panics, whatever it is called with, as long as pointers to results and texts are good ones; a
//! handle may be any number.
#![allow(non_upper_case_globals)]

mod asleep;
mod debugger;
mod own;
mod parallel;
mod process;
mod settings;
mod states;
mod task;
mod thread;

use omphalos_abi::ompd::ompd_rc_t;
use omphalos_ompd_answers::{Answer, Code, Desk, Held, Kind};

/// Handles and lists that the debugger holds.
static DESK: Desk = Desk::new();

/// The code that a function returns. Those that came later than the version that the debugger asked
/// for become what that one had.
fn code(answer: Answer<()>) -> ompd_rc_t {
    let code = answer.err().unwrap_or(Code::Ok);
    let code = match code {
        Code::IncompatibleHandle if debugger::api_version() < 202_411 => Code::BadInput,
        Code::CallbackError if debugger::api_version() < 202_011 => Code::Error,
        code => code,
    };
    code as ompd_rc_t
}

/// What a handle of this kind names.
fn held<T>(kind: Kind, handle: *const T) -> Answer<Held> {
    DESK.get(kind, handle as u64)
}

/// Hands out a handle, where the debugger wants it.
///
/// # Safety
/// `to` is null or points to a place for it.
unsafe fn hand_out<T>(to: *mut *mut T, answer: impl FnOnce() -> Answer<Held>) -> Answer<()> {
    omphalos_ompd_answers::memory::wanted(to)?;
    let handle = DESK.hand_out(answer()?)?;
    // SAFETY: the caller's promise.
    unsafe {
        omphalos_ompd_answers::memory::put(to, omphalos_ompd_answers::memory::pointer(handle))
    }
}
