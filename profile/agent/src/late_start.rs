//! The functions by which Omphalos' runtime brings the agent into a running process. Its helper
//! calls them (`runtime/tools/src/late_tool.rs`).
//!
//! | function | what |
//! |---|---|
//! | `omphalos_agent_begin(text, length)` | waits for a region, with these settings; 1: cannot |
//! | `omphalos_agent_state()` | 0: waits for a region, 1: records, 2: its time is over, 3: left |
//!
//! Between the two calls, the helper calls `ompt_start_tool`, as for any tool; at the end it calls
//! the finalizer.

use crate::config::Config;
use crate::life::{self, State};
use crate::{interpose, tool};
use core::ffi::{c_char, c_int};

/// Does what the module's table says.
///
/// # Safety
/// `text` has `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn omphalos_agent_begin(text: *const c_char, length: usize) -> c_int {
    // SAFETY: the caller's promise.
    let text = unsafe { core::slice::from_raw_parts(text.cast::<u8>(), length) };
    let Some(config) = Config::from_request(text) else { return 1 };
    interpose::prepare();
    tool::sync::forget_waits();
    c_int::from(!life::start_late(config))
}

/// Does what the module's table says.
#[unsafe(no_mangle)]
extern "C" fn omphalos_agent_state() -> u32 {
    match life::state() {
        State::Awaits => 0,
        State::Records => 1,
        State::Over => 2,
        State::Left => 3,
    }
}
