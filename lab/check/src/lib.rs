//! Watches a program's devices from outside, as a debugger does, and finds what it maps wrongly:
//! `omphalos check --mapping`. `docs/devices.md` says how.
//!
//! What must hold: the program behaves as it does alone. A finding is certain: what was read or
//! written is known byte by byte, and where the watcher cannot know it says nothing.

mod access;
mod finding;
mod model;
mod names;
mod operand;
mod ranges;
mod runtime_message;
mod trace;

pub use finding::{Finding, Kind, Place};
pub use trace::{End, Watched, watch};

/// The variable in which the runtime finds its watcher's process id.
pub const VARIABLE: &str = "OMPHALOS_MAPPING_WATCHER";
