//! Code that all tests share: compilers, a cache of compiled programs, runtimes to run them on, and
//! a way to run a program that may hang.
//!
//! What must hold: a test program first runs on the runtime that its compiler came with, so that a
//! wrong test shows as a wrong test and not as a fault of ours.

pub mod browser;
pub mod compiler;
pub mod control_group;
pub mod exec;
pub mod figures;
pub mod floors;
pub mod guard;
pub mod hook_cost;
pub mod micro;
pub mod outside;
pub mod pack;
pub mod paths;
pub mod peers;
pub mod program;
pub mod pythons;
pub mod runtime;
pub mod suite;
pub mod truth;
pub mod uneven;
