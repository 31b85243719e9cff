//! The routines that programs call by name: `omp_*`, `kmp_*` and their Fortran names.
//!
//! Fortran names end in `_` and take their arguments by address. If an argument is an 8-byte
//! integer or logical (gfortran with `-fdefault-integer-8`), they end in `_8_`. Flang binds to the
//! C names. Queries that need no record answer for an unknown thread without making one. OpenMP's
//! specification does not call any of them async-signal-safe, but the queries are: they only load.

mod affinity;
mod control;
mod device;
mod device_async;
mod device_uid;
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
