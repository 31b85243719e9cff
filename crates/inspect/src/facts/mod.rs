//! What is said of a thread that the runtime does not tell: its wait by the function that it
//! called, its stillness.

mod entry;
pub mod still;

pub use entry::in_runtime;
