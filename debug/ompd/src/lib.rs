//! `libompd.so`: OMPD 5.0 to 6.0 over `ompd-view`, for debuggers. Only the debugger's callbacks
//! read the target, and only they allocate memory that the debugger frees.
//!
//! Each group of functions in the specification has one file. A function checks and converts its
//! arguments, asks `omphalos-ompd-answers` and writes the result. What must hold: no function
//! panics, whatever its arguments, as long as pointers to results and texts are valid; a handle may
//! be any number.
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

/// Finds the record that a handle names.
fn held<T>(kind: Kind, handle: *const T) -> Answer<Held> {
    HANDLES.get(kind, handle as u64)
}

/// The code that a function returns. A code that is newer than the version that the debugger asked
/// for becomes the one that this version had.
fn code(answer: Answer<()>) -> ompd_rc_t {
    let code = answer.err().unwrap_or(Code::Ok);
    let code = match code {
        Code::IncompatibleHandle if debugger::api_version() < 202_411 => Code::BadInput,
        Code::CallbackError if debugger::api_version() < 202_011 => Code::Error,
        code => code,
    };
    code as ompd_rc_t
}
