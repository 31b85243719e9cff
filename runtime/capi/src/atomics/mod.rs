//! Atomic constructs for which the compilers emit no instruction.
//!
//! GCC's code calls one function before and one behind the operation (`brackets.rs`). LLVM's and
//! Intel's interface has a function for each type, operation and form, named
//! `__kmpc_atomic_<type>_<operation><form>`:
//!
//! | form | does | returns |
//! |---|---|---|
//! | | `x = x op v` | |
//! | `_rev` | `x = v op x` | |
//! | `_cpt`, `_cpt_rev` | the same as without `_cpt` | the new value if `flag`, else the old one |
//! | `_rd`, `_wr`, `_swp` | reads, writes, exchanges | the value that was read |
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
