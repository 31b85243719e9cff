//! Reads from CPython's memory which code of a program its threads execute: the layout of each
//! version ([`mod@layout`]), a thread's frames and their places between the frames of the machine
//! ([`walk`]), the line of an instruction ([`line()`]), and the values of its frame that are in use
//! there ([`kept_values`]). The same for R ([`r_calls`]).
//!
//! What must hold: this is pure, without allocation and without dependencies: a signal handler in
//! the interpreter's process uses it, and programs that look from outside. Nothing in the memory is
//! trusted: every read may fail, every loop has an end.
#![no_std]
#![deny(missing_docs)]

mod frames;
mod handlers;
mod layout;
mod letters;
mod lines;
mod machine;
mod offsets;
pub mod r_calls;
mod r_values;
mod threads;
#[cfg(test)]
mod words;

pub use frames::{Frame, walk, walk_innermost};
pub use handlers::kept_values;
pub use layout::{Counted, Entered, Layout, layout, old_version};
pub use letters::Letters;
pub use lines::{OF_R, line};
pub use machine::Machine;
pub use threads::{is_of, threads};

/// The memory of a process.
pub trait Memory {
    /// The word at an address that is a multiple of 8; `None` where it cannot be read.
    fn word(&mut self, at: u64) -> Option<u64>;

    /// The 32 bits at an address that is a multiple of 4.
    fn half(&mut self, at: u64) -> Option<u32>;
}
