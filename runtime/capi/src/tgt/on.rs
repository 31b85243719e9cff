//! A construct on a device.

use super::lists::List;
use super::names::Place;
use super::words;
use crate::shared::device as shared;
use crate::shared::location::Ident;
use core::ffi::c_int;
use core::fmt;
use omphalos_engine::Caller;
use omphalos_engine::target::played::{self, DeviceMemory};
use omphalos_events::TargetKind;
use omphalos_mapping::{Fault, Mapping, Table};
use omphalos_sys::process;

/// See the module.
#[derive(Clone, Copy)]
pub struct On {
    pub device: c_int,
    pub kind: TargetKind,
    /// Null if the compiler passes none.
    pub location: *const Ident,
    pub caller: Caller,
}

impl On {
    /// Maps the list.
    ///
    /// # Safety
    /// The items are the program's memory.
    pub unsafe fn begin(&self, list: &List) -> Mapping {
        // SAFETY: the caller's promise.
        self.or_end(list, |table, memory| unsafe { table.map(memory, &list.items) })
    }

    /// Returns the result of the device's work; ends the program if there is a fault.
    pub fn or_end<R>(
        &self,
        list: &List,
        act: impl FnOnce(&mut Table, &DeviceMemory) -> Result<R, Fault>,
    ) -> R {
        let result = played::with_table(self.device, act);
        if let Some(Err(fault)) = &result {
            words::write(self.kind, list, fault);
        }
        let result = shared::done(result, |item| list.name(item));
        result.unwrap_or_else(|what| self.end(format_args!("{what}")))
    }

    /// Writes which part of an update is not done. The program goes on, as with LLVM's own library.
    pub fn warn(&self, what: fmt::Arguments<'_>) {
        let place = Place(self.location, self.caller);
        shared::warn(self.kind, self.device, &place, what);
    }

    /// Ends the program by a signal, as LLVM's own library does.
    pub fn end(&self, what: fmt::Arguments<'_>) -> ! {
        let place = Place(self.location, self.caller);
        shared::say(self.kind, self.device, &place, what);
        process::abort()
    }
}
