//! Keeps all threads that OpenMP knows: their lists, the idle workers, hiring, the end of workers
//! as tools see it.

pub(crate) mod ending;
mod hire;
pub mod registry;
pub(crate) mod reserve;

pub(crate) use hire::start_helper;
pub use hire::{NoWorker, hire, warn_refused};
pub use registry::live;
