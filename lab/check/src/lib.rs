//! Watches a program's devices from outside, as a debugger does, and finds errors in its mappings:
//! `omphalos check --mapping`. `docs/devices.md` describes the method.
//!
//! What must hold: the program behaves as it does alone. A finding is certain: reads and writes are
//! known byte by byte, and if the watcher cannot know something, it reports nothing.

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
