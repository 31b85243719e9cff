//! The OpenMP runtime proper: teams, barriers, worksharing, tasks, locks, binding.
//!
//! README.md has the rooms. The engine knows no C interface and no tool interface: `capi` converts
//! arguments and calls it, and the engine tells events through `omphalos_events`. What must hold:
//! * No panic: this code runs inside other people's programs.
//! * A signal handler may ask at any time ([`inquire`]) and gets consistent answers: a thread's
//!   current task and team are single words, written after the records to which they point.
//! * Records of threads, teams and slots are never freed while the process lives, only reused: a
//!   late reader sees an old value, never freed memory.

pub mod affinity;
pub mod atomics;
pub mod barrier;
mod call;
pub mod cancel;
pub mod described;
pub mod enable;
pub mod hooks;
pub mod icv;
pub mod inquire;
pub mod mutex;
pub mod process;
pub mod records;
pub mod target;
pub mod taskgraph;
pub mod tasks;
pub mod team;
pub mod teams;
pub mod threadprivate;
pub mod threads;
pub(crate) mod waiting;
pub mod worksharing;

pub use call::{Call, Quiet, Unwatched, Watched};
pub use omphalos_sys::entry::{Caller, Entered, Found, Placed, caller};
pub use omphalos_sys::tls::{CHUNKS, MUTEXES, WORK};
pub use records::{Slot, Task, Team, Thread, Work};
pub use team::Region;
