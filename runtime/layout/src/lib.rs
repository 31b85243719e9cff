//! The structures that a debugger may read in a stopped process, each described once.
//!
//! `describe!`, beside the definition of a structure, makes the table of its fields (name, offset,
//! size). The runtime puts all tables into one text (`omphalos_debug`, docs/debug-state.md). A
//! debugger reads that text, so it need not be compiled against one runtime's structures. Nothing
//! here needs an operating system.
#![no_std]

pub mod describe;
pub mod identity;

pub use describe::{Described, Description, Field, Structure, Value};
pub use identity::{Frame, Identity, SLOTS, TaskTool};
