//! The process around the runtime: its start, its threads' first contact and end, `fork`, its end.

pub(crate) mod contact;
mod fork;
mod holders;
mod main_thread;
mod start;
mod unwatched;
pub(crate) mod worker;

pub use contact::end_workers;
pub use start::{before_a_routine, finish, prepare};
