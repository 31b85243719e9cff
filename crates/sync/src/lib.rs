//! Small synchronisation algorithms, each argued in prose and model-checked where it can be.
//!
//! * [`gate`]: one thread's sleeping place; everybody who wakes it goes through here.
//! * [`spin`]: how long to spin before going there.
//! * [`word_lock`]: the mutex of one 32-bit word behind critical sections, locks and atomics.
//!
//! What must hold: no allocation, no thread-local state, no knowledge of teams or tools. Under
//! `cfg(loom)` the atomics come from loom and the futex becomes a yield.

pub mod gate;
pub mod shim;
pub mod spin;
pub mod word_lock;
