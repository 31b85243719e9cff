//! x86-64: thread-local storage, entry stubs, calls into user code.

pub mod entry;
pub mod invoke;
pub mod tls;
