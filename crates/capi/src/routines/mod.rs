//! The routines that programs call by name: `omp_*`, `kmp_*` and their Fortran names.
//!
//! Fortran names end in `_`, take their arguments by address, and end in `_8_` where an argument is
//! an 8-byte integer or logical (gfortran with `-fdefault-integer-8`); Flang binds to the C names.
//! Queries that need no record of the thread answer for an unknown thread without making one. What
//! OpenMP's specification calls async-signal-safe nowhere includes these, but the queries are:
//! loads only.

mod affinity;
mod control;
mod device;
mod device_async;
mod dimensions;
pub(crate) mod error;
mod icvs;
mod interop;
mod interop_fortran;
mod kmp;
mod kmp_affinity;
mod mapped;
mod memory;
mod names;
mod offload;
mod places;
mod teams;
