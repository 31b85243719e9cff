//! The structures that a debugger may read in a stopped process, each described once.
//!
//! `described!` defines a `#[repr(C)]` structure and, from the same text, the table of its fields
//! (name, offset, size). The runtime exports those tables; a debugger library reads them instead of
//! being compiled against one runtime's structures. What must hold: a structure that a debugger may
//! read is defined here or embeds one that is, and nothing here needs an operating system.
#![no_std]

pub mod describe;
pub mod identity;

pub use describe::Field;
pub use identity::{Frame, Identity, SLOTS, TaskTool};
