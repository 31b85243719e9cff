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
//! What must hold: all operations on one variable exclude each other. Up to eight bytes that is done
//! by the processor, at any alignment; larger ones take the lock of the variable's address, and
//! every operation on a type of that size does.

mod brackets;
mod complex;
mod extended;
mod integers;
mod quad;
mod quad_mixed;
mod reals;
mod sized;
mod stubs;
mod update;

pub use brackets::*;
