//! A target construct under way. `target/construct.rs` tells tools of it.

use super::Thread;
use core::cell::Cell;
use omphalos_events::Identity;
use omphalos_sys::entry::Caller;

impl Thread {
    /// The device that the thread's code runs on, if that is not the host.
    pub(crate) fn device(&self) -> Option<i32> {
        let mut team = Some(self.team());
        while let Some(at) = team {
            let device = at.on_device.get();
            if device != 0 {
                return Some(i32::from(device) - 1);
            }
            team = at.parent();
        }
        None
    }
}

/// A target construct under way on the calling thread.
pub struct Construct {
    pub(crate) identity: Identity,
    pub(crate) caller: Caller,
    pub(crate) device: i32,
    /// The latest operation in it.
    operation: Cell<u64>,
}

impl Construct {
    pub(crate) fn of(identity: Identity, caller: Caller, device: i32) -> Construct {
        Construct { identity, caller, device, operation: Cell::new(0) }
    }

    /// The latest operation in it, or 0.
    pub(crate) fn operation(&self) -> u64 {
        self.operation.get()
    }

    /// An operation in it begins.
    pub(crate) fn set_operation(&self, operation: u64) {
        self.operation.set(operation);
    }
}
