//! What the kernel and the C library say of a thread: the system call that it is in, the mutex that it waits for.

pub mod calls;
mod entry;
mod pthreads;
pub mod still;

pub use entry::in_runtime;
pub use pthreads::{Known, waits};
