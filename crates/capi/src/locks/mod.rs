//! Locks and nest locks, under all their names.
//!
//! The two C interfaces disagree on sizes, the engine's words fit the smaller of each, and only the
//! first bytes are used:
//!
//! | | GCC | gfortran | LLVM, Flang, Intel | used |
//! |---|---|---|---|---|
//! | lock | 4 | 4 | 8 | 4 |
//! | nest lock | 16 | 8 | 8 | 8 |
//!
//! So a lock that code of one compiler made works in code of another, and nothing is allocated.
//! A nest lock is owned by a task, as OpenMP has it since 3.0 (LLVM's own runtime: by a thread).

mod kmpc;
mod routines;

pub use kmpc::*;
pub use routines::*;
