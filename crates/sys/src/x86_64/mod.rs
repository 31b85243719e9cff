//! x86-64: thread-local storage, entry stubs, calls into user code, arithmetic Rust has no types for.

pub mod entry;
pub mod invoke;
pub mod place;
pub mod quad;
pub mod tls;
pub mod x87;
