//! How CPython keeps which of a program's code its threads execute: where each version has what
//! tells that ([`mod@layout`]), and which line an instruction stands for ([`lines`]).
//!
//! What must hold: pure, without allocation and without dependencies: a signal handler in the
//! interpreter's process uses it, and who looks from outside.
#![no_std]
#![deny(missing_docs)]

mod layout;
mod lines;

pub use layout::{Entered, Layout, Letters, layout};
pub use lines::line;
