//! Facts that a thread's stack shows and the runtime does not tell: its wait, from the function
//! that it called, and whether it stands still.

pub mod entry;
pub mod still;

pub use entry::in_runtime;
