//! Threads: their records, how they come to be and go.

pub(crate) mod ending;
mod main_thread;
pub mod registry;
pub(crate) mod reserve;
pub(crate) mod unwatched;
mod worker;

pub(crate) use worker::start_helper;
pub use worker::{NoWorker, hire, warn_refused};
