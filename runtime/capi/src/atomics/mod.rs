//! Atomic constructs for which the compilers emit no instruction.
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
//! The engine has the operations (`omphalos_engine::atomics`); `sys` has those on numbers for which
//! Rust has no types.

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
