//! Atomic constructs that the compilers do not write out as instructions.
//!
//! GCC needs one pair of brackets. LLVM's and Intel's interface has a function for each type,
//! operation and form, named `__kmpc_atomic_<type>_<operation><form>`:
//!
//! | form | does | returns |
//! |---|---|---|
//! | | `x = x op v` | |
//! | `_rev` | `x = v op x` | |
//! | `_cpt` | the same | the new value if `flag`, else the old one |
//! | `_rd`, `_wr`, `_swp` | reads, writes, exchanges | what was read |
//!
//! The operations themselves are the engine's (`omphalos_engine::atomics`) and, for numbers that
//! Rust has no types for, `sys`'s.

mod brackets;
mod complex;
mod extended;
mod integers;
mod quad;
mod quad_mixed;
mod reals;
mod sized;
mod update;

pub use brackets::*;
