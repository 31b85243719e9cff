//! Facts that a thread's stack shows and the runtime does not tell: its wait, from the function
//! that it called, whether it stands still, and the place that encountered a region.

pub mod entry;
pub mod left;
pub mod still;

pub use entry::in_runtime;
