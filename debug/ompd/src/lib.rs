//! `libompd.so`: OMPD 5.0 to 6.0 over `ompd-view`, for debuggers. Only the debugger's callbacks
//! allocate what the debugger frees, and read.
//!
//! One file for each group of functions, as the specification has them; each checks and converts
//! arguments, asks `omphalos-ompd-answers` and writes the result. What must hold: no function
//! panics, whatever it is called with, as long as pointers to results and texts are good ones; a
//! handle may be any number.
#![allow(non_upper_case_globals)]

mod debugger;
mod look;
mod parallel;
mod process;
mod settings;
mod states;
mod task;
mod thread;
mod whole_program;

use omphalos_abi::ompd::ompd_rc_t;
use omphalos_ompd_answers::{Answer, Code, HandleStore, Held, Kind};

/// Handles and lists that the debugger holds.
static HANDLES: HandleStore = HandleStore::new();

/// What a handle names.
fn held<T>(kind: Kind, handle: *const T) -> Answer<Held> {
    HANDLES.get(kind, handle as u64)
}

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
