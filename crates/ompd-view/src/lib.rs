//! The runtime's state, read from outside: another process, a core file, or whatever a debugger can read.
//!
//! A [`Target`] gives memory, symbols and threads. The library under inspection describes its own structures
//! (`layout`), so this crate is compiled against no runtime's structures: names and offsets come from the target.
//! What the target holds is not trusted: memory that cannot be read, or that makes no sense, is an error value,
//! and every walk is bounded.

pub mod snapshot;
pub mod target;

pub use target::{Fault, Registers, Target};
