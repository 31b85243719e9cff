//! The exported C symbols: `GOMP_*`, `__kmpc_*`, `__tgt_*` (as `omphalos__tgt_*`), `omp_*` and the
//! Fortran names.
//!
//! Everything here converts arguments and calls the crate that does the work (the engine, `memory`,
//! `settings`); no algorithm lives here. What must hold: an exported name does what the owner of
//! the interface documents (GCC's libgomp, LLVM's libomp). A function whose events have a return
//! address stands behind an entry stub (`omphalos_sys::entries!`) and asks for its caller before
//! anything else.

pub mod atomics;
pub mod critical;
pub mod gomp;
pub mod kmpc;
pub mod locks;
pub mod refused;
pub mod routines;
mod shared;
pub mod tgt;
