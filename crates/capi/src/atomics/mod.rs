//! Atomic constructs that the compilers do not write out as instructions.

mod brackets;

pub use brackets::*;
