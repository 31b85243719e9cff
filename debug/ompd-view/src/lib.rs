//! The runtime's state, read from outside: from another process, a core file, or whatever a
//! debugger can read.
//!
//! A [`Target`] gives memory, symbols and threads. The library in the target describes its own
//! structures ([`layout`]), so this crate is compiled against no runtime's structures: names and
//! offsets come from the target. The target's memory is not trusted. Memory that cannot be read, or
//! that makes no sense, is an error value, and every walk is bounded.
//!
//! [`Runtime::find`] comes first. [`Thread`], [`Team`] and [`Task`] are addresses with questions.
//! Each question reads a few bytes of the target and keeps nothing, because a debugger's reads are
//! slow and it lets the target run on. [`Runtime::snapshot`] reads everything once.

pub mod asleep;
pub mod icv;
pub mod layout;
mod lock;
mod loops;
mod nests;
mod pages;
pub mod quick;
mod runtime;
pub mod snapshot;
mod stack;
pub mod states;
pub mod target;
mod task;
mod tasks;
mod team;
mod thread;
mod waits;
mod whole;

pub use layout::Layout;
pub use lock::Holder;
pub use pages::Pages;
pub use runtime::{Ask, Runtime};
pub use target::{Fault, Registers, Target};
pub use task::{Frames, Task, flags};
pub use tasks::Progress;
pub use team::Team;
pub use thread::{Kind, Thread};
