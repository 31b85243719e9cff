//! A target construct under way. `target/construct.rs` tells tools of it.

use super::{Team, Thread};
use core::cell::Cell;
use core::ffi::c_void;
use core::fmt;
use omphalos_events::Identity;
use omphalos_sys::entry::Caller;

impl Thread {
    /// Returns the device that the thread's code runs on; `None` for the host.
    pub(crate) fn device(&self) -> Option<i32> {
        self.team_on_device().map(|(device, _)| device)
    }

    /// Returns the device that the thread's code runs on, or else the device that the thread
    /// serves, with the construct, which may be null; `None` for the host. Async-signal-safe.
    pub(crate) fn device_and_construct(&self) -> Option<(i32, *const Identity)> {
        let Some((device, team)) = self.team_on_device() else {
            return self.device_served().map(|device| (device, core::ptr::null()));
        };
        // SAFETY: null, or the construct of a region that has not ended, since this thread is in
        // it.
        let construct = unsafe { team.on_construct.get().as_ref() };
        Some((device, construct.map_or(core::ptr::null(), |at| &raw const at.identity)))
    }

    /// Returns the device that the thread serves, in its regions and between them; `None` for the
    /// host.
    fn device_served(&self) -> Option<i32> {
        self.serves.get().checked_sub(1).map(i32::from)
    }

    /// Returns the device of the region that the thread is in, the return address of the
    /// construct's call, and the construct's site if that is known; `None` for the host.
    /// Async-signal-safe.
    pub(crate) fn region_on_device(&self) -> Option<(i32, u64, Option<&Site>)> {
        let (device, team) = self.team_on_device()?;
        // SAFETY: null, or of a region that has not ended, since this thread is in it.
        Some((device, team.codeptr.get(), unsafe { team.on_site.get().as_ref() }))
    }

    fn team_on_device(&self) -> Option<(i32, &'static Team)> {
        let mut team = Some(self.team());
        while let Some(at) = team {
            let device = at.on_device.get();
            if device != 0 {
                return Some((i32::from(device) - 1, at));
            }
            team = at.parent();
        }
        None
    }
}

/// The place of a construct in the program, as its dialect knows it.
pub struct Site {
    /// The location that the compiler passes.
    pub location: *const c_void,
    /// Writes the location in words, `at FILE:LINE in FUNCTION`, and returns true; returns false if
    /// the compiler passes none. Async-signal-safe.
    pub write: fn(*const c_void, &mut dyn fmt::Write) -> bool,
}

/// A target construct under way on the calling thread.
pub struct Construct {
    pub(crate) identity: Identity,
    pub(crate) caller: Caller,
    pub(crate) device: i32,
    /// The operation in progress.
    operation: Cell<u64>,
}

impl Construct {
    pub(crate) fn of(identity: Identity, caller: Caller, device: i32) -> Construct {
        Construct { identity, caller, device, operation: Cell::new(0) }
    }

    /// Returns the id of the operation in progress, 0 if there is none.
    pub(crate) fn operation(&self) -> u64 {
        self.operation.get()
    }

    /// Notes that an operation of the construct begins, or, with 0, that it is over.
    pub(crate) fn set_operation(&self, operation: u64) {
        self.operation.set(operation);
    }
}
