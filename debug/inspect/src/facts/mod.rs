//! What a thread's stack says that the runtime does not: its wait, by the function that it called,
//! and whether it stands still.

pub mod entry;
pub mod still;

pub use entry::in_runtime;
