//! A debugger's side of OMPD (OpenMP 5.0 to 6.0): loads any `libompd.so`, serves its callbacks from
//! a target, and asks.
//!
//! What must hold: the library is somebody else's code, and the memory that it reads from the
//! target is not trusted. So every answer is bounded, and [`child`] runs the library in a process
//! of its own, which may crash without harm.

#![allow(non_upper_case_globals)] // OMPD's own names

mod callbacks;
pub mod child;
mod handles;
mod library;
mod process;
mod refusal;
mod snapshot;
mod wire;

pub use handles::{Frame, Handle, Kind, Parallel, Task, Thread};
pub use library::Library;
pub use process::{Icv, Native, Process};
pub use refusal::{Refusal, Value};
pub use snapshot::snapshot;

use omphalos_ompd_view::{Fault, Target};

/// A target that also finds variables that a library does not export.
pub trait Subject: Target {
    /// The address of a variable of the OpenMP runtime. `lwp`: the thread whose copy is wanted, for
    /// a variable of which each thread has its own.
    fn variable(&self, name: &str, lwp: Option<u32>) -> Result<u64, Fault>;
}

/// The most bytes of one answer of the target, and of one allocation of the library.
const LARGEST: u64 = 1 << 20;
