//! The common part of the libraries for debuggers. OMPD of every generation asks the same questions
//! under other names.
//!
//! A generation's library passes on the debugger's callbacks ([`Debugger`]) and converts arguments.
//! This crate has the handles ([`table`]) and the answers, from `ompd-view`. What must hold:
//! nothing here panics, whatever the debugger hands over or the target holds.

mod code;
mod debugger;
mod earlier;
mod entries;
mod handle_store;
pub mod icv;
pub mod memory;
mod region;
mod space;
pub mod table;
pub mod thread;
mod whole;

pub use code::{Answer, Code};
pub use debugger::{Callbacks, Debugger};
pub use handle_store::HandleStore;
pub use omphalos_ompd_view::Ask;
pub use space::{Held, Space};
pub use table::{Kind, Table};
pub use thread::Native;
