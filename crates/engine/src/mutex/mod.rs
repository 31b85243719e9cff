//! Locks, critical sections, atomics that need one.

pub mod hooks;
