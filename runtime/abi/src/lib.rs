//! Plain types of the published interfaces: the data that crosses a C boundary, and nothing else.
//!
//! One module for each interface, under the names of its specification, so that a reader can search
//! for them in both. What must hold: `core` only, no behaviour, and every size, offset and number
//! is the published one (const assertions here, C programs in `tests/`). The C headers of the same
//! interfaces stand in `include/`.
#![no_std]
#![deny(missing_docs)]

#[macro_use]
mod tables;

pub mod collector;
pub mod earlier;
pub mod ompd;
pub mod ompt;
