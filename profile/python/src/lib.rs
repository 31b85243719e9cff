//! How CPython keeps which of a program's code its threads execute: where each version has what
//! tells that ([`mod@layout`]), a thread's frames and between which frames of the machine they are
//! ([`walk`]), which line an instruction stands for ([`line()`]), and which values of its frame
//! are in use there ([`kept_values`]). And how R does ([`r_calls`]).
//!
//! What must hold: pure, without allocation and without dependencies: a signal handler in the
//! interpreter's process uses it, and who looks from outside. Nothing that the memory says is
//! trusted: every read may fail, every loop has an end.
#![no_std]
#![deny(missing_docs)]

mod frames;
mod handlers;
mod layout;
mod letters;
mod lines;
mod offsets;
pub mod r_calls;
mod threads;

pub use frames::{Frame, Machine, walk};
pub use handlers::kept_values;
pub use layout::{Counted, Entered, Layout, layout, old_version};
pub use letters::Letters;
pub use lines::{OF_R, line};
pub use threads::{is_of, threads};

/// The memory of a process.
pub trait Memory {
    /// The word at an address that is a multiple of 8; `None` where it cannot be read.
    fn word(&mut self, at: u64) -> Option<u64>;

    /// The 32 bits at an address that is a multiple of 4.
    fn half(&mut self, at: u64) -> Option<u32>;
}
