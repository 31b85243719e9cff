//! The runtime's state, read from outside: another process, a core file, or whatever a debugger can
//! read.
//!
//! A [`Target`] gives memory, symbols and threads. The library under inspection describes its own
//! structures ([`layout`]), so this crate is compiled against no runtime's structures: names and
//! offsets come from the target. What the target holds is not trusted: memory that cannot be read,
//! or that makes no sense, is an error value, and every walk is bounded.
//!
//! [`Runtime::find`] is where it begins. [`Thread`], [`Team`] and [`Task`] are addresses with
//! questions, each of which reads a few bytes of the target and keeps nothing: what debuggers want,
//! whose reads are slow, and who let the target run on. [`Runtime::snapshot`] reads all of it once.

pub mod asleep;
pub mod icv;
pub mod layout;
mod lock;
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
pub use runtime::Runtime;
pub use target::{Fault, Registers, Target};
pub use task::{Frames, Task, flags};
pub use tasks::Progress;
pub use team::Team;
pub use thread::{Kind, Thread};
