//! The agent: an OMPT tool that samples an OpenMP program and accounts for its time, in the
//! process, into a record file that the report reads later.
//!
//! Loaded by `LD_PRELOAD` (then it also knows the calls of the C library that threads wait in) or
//! `OMP_TOOL_LIBRARIES`.
//!
//! | module | what |
//! |---|---|
//! | [`life`] | start, fork, end |
//! | [`tool`] | OMPT's callbacks: what happens |
//! | `collector` | the same from the Collector API of 2007 |
//! | [`accounting`] | classes of time, sites, totals: what it comes to |
//! | [`sampling`] | timers and the signal handler: where it happens |
//! | [`unwind`] | stacks, inside the handler |
//! | [`stream`] | the record file |
//! | `mark`, `interpose` | the call of the C library that a thread is in |
//!
//! What must hold: nothing here changes what the program does. No panic, no output but a line on
//! standard error for a real problem, `errno` as it was, no lock and no allocation in the handler.

pub mod accounting;
pub mod clock;
mod collector;
pub mod config;
mod interpose;
pub mod life;
mod loaded;
pub mod mark;
mod memory;
pub mod recording;
pub mod sampler;
pub mod sampling;
pub mod stream;
pub mod thread;
pub mod tool;
pub mod totals;
pub mod unwind;
