//! Looks at a running, hung or dead program: a live process or a core file as a target, its stacks,
//! the facts from the kernel and the C library, and the texts of `omphalos inspect` and `omphalos
//! top`.
//!
//! What must hold: the target's contents are not trusted. Unreadable, torn or hostile memory costs
//! an answer, never a crash, an endless loop or memory without bound. Nothing of the target is
//! executed, or sent to a terminal as it is.

mod elf;
mod exports;
mod facts;
pub mod foreign;
mod joined;
pub mod look;
mod names;
pub mod ranks;
pub mod sampling;
pub mod space;
pub mod text;
pub mod tool_request;
pub mod top;
mod unwind;
mod variables;

pub use foreign::Ompd;
pub use look::Look;
pub use space::live::Way;
pub use unwind::{All, Raw, Unwinder};
pub use variables::{Known, Variables};
