//! Locks and nest locks, under all their names.
//!
//! The C interfaces differ in the sizes of locks. The engine's words fit the smallest size of each,
//! and only the first bytes are used:
//!
//! | | GCC | gfortran | LLVM, Flang, Intel | used |
//! |---|---|---|---|---|
//! | lock | 4 | 4 | 8 | 4 |
//! | nest lock | 16 | 8 | 8 | 8 |
//!
//! So a lock that one compiler's code made works in another's, and nothing is allocated. A task
//! owns a nest lock, as in OpenMP since 3.0 (in LLVM's own runtime a thread owns it).

mod kmpc;
mod routines;

pub use kmpc::*;
pub use routines::*;
