//! The agent: an OMPT tool that samples an OpenMP program and accounts for its time, in the
//! process, into a record file that the report reads later.
//!
//! Loaded by `LD_PRELOAD` (then it also knows the calls of the C library that threads wait in) or
//! `OMP_TOOL_LIBRARIES`.
//!
//! | module | what |
//! |---|---|
//! | `late_start` | the runtime brings the agent into a process that runs |
//! | `loaded` | the loader's initialiser and finaliser |
//! | `collector` | events from the Collector API of 2007 |
//! | [`tool`] | OMPT's callbacks: what happens |
//! | `interpose` | calls of the C library |
//! | [`life`] | start, fork, end, of the process and its threads |
//! | [`sampling`] | timers and the signal handler: where it happens |
//! | [`totals`] | the sums over all threads |
//! | [`thread`] | the record of a thread, and who may write it |
//! | [`accounting`] | classes of time, sites: what it comes to |
//! | [`sampler`] | what a thread's samples are made with |
//! | `counting` | what the system and the processor count, by place |
//! | [`mark`] | the call of the C library that a thread is in |
//! | [`stream`] | the record file |
//! | `python` | the frames of Python code on a stack |
//! | [`unwind`] | stacks, inside the handler |
//! | `filter` | what a filter of system calls answers |
//! | `hardware` | the processor's own counters |
//! | `nodes` | the NUMA nodes of memory and of the thread that uses it |
//! | `sched` | how long a thread ran, and waited for a processor |
//! | [`recording`], [`config`], [`clock`], `memory` | settings, time, memory |
//!
//! Each knows modules below it only: README.md beside this file.
//!
//! What must hold: nothing here changes what the program does. No panic, no output but a line on
//! standard error for a real problem, `errno` as it was, no lock and no allocation in the handler.

pub mod accounting;
pub mod clock;
mod collector;
pub mod config;
mod counting;
mod filter;
mod hardware;
mod interpose;
mod late_start;
pub mod life;
mod loaded;
pub mod mark;
mod memory;
mod nodes;
mod numbers;
mod python;
pub mod recording;
pub mod sampler;
pub mod sampling;
mod sched;
pub mod stream;
pub mod thread;
pub mod tool;
pub mod totals;
pub mod unwind;
