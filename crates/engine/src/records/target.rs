//! A target construct under way. `target/construct.rs` tells tools of it.

use core::cell::Cell;
use omphalos_events::Identity;
use omphalos_sys::entry::Caller;

/// A target construct under way on the calling thread.
pub struct Construct {
    pub(crate) identity: Identity,
    pub(crate) caller: Caller,
    pub(crate) device: i32,
    /// The latest operation in it.
    pub(crate) operation: Cell<u64>,
}
