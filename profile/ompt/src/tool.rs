//! The trait of a tool, and the runtime that asks for one.

#[allow(unused_imports)] // The documentation of `Tool::recorded` names it.
use crate::device::Device;
use crate::device::Record;
use crate::event::*;
use crate::events::Events;
use crate::host::Host;
use crate::kinds::Answer;
use core::ffi::{CStr, c_int};

/// A runtime's facts about itself when it asks for a tool.
#[derive(Clone, Copy, Debug)]
pub struct Runtime<'a> {
    /// The value of its `_OPENMP`, as 202411.
    pub openmp: u32,
    /// Its name and version.
    pub name: &'a CStr,
}

macro_rules! tools {
    ($($(#[$meta:meta])* $name:ident $fields:tt $(by $hand:ident)? => {
        $($(#[$doc:meta])* $event:ident $method:ident = $number:ident: $signature:ident;)*
    })*) => {
        /// A tool: make one with [`Tool::start`], hand the type to [`tool!`](crate::tool!), and it
        /// is called at each event of [`Tool::EVENTS`].
        ///
        /// Events come on the thread that has them, several at a time: so a tool is `Sync`. A
        /// callback may allocate and lock, but each nanosecond in it is the program's. It must not
        /// call OpenMP routines. A panic in one is reported once, and the tool is not called again
        /// (with `panic = "abort"` the process ends).
        pub trait Tool: Sized + Sync + 'static {
            /// The events that the tool is called at. The others cost nothing. More can be asked
            /// for, and some given up, at any time: [`Host::attach_events`] and [`Host::ignore`].
            const EVENTS: Events;

            /// A runtime starts and asks for a tool; `None`: it shall go on without. Called before
            /// the runtime is ready: nothing of OpenMP may be called. A second runtime in the
            /// process meets the tool that the first one made.
            fn start(runtime: Runtime<'_>) -> Option<Self>;

            /// The runtime is ready: from here on [`Host`] can be asked. False: no events after
            /// all.
            fn ready(&self, _host: Host) -> bool {
                true
            }

            /// Takes the runtime's answer to the registration of an event, by its number and name.
            fn answered(&self, _number: c_int, _name: &str, _answer: Answer) {}

            /// After the last event: the runtime ends.
            fn end(&self) {}

            $($($(#[$doc])* fn $method(&self, _event: $name<'_>) {})*)*

            /// See [`ControlTool`]. The answer is what `omp_control_tool` returns; 1 = ignored.
            fn control_tool(&self, _event: ControlTool<'_>) -> c_int {
                1
            }

            /// The device with this number is no more.
            fn device_finalize(&self, _device: i32) {}

            /// The code that was loaded under this number is taken from the device.
            fn device_unload(&self, _device: i32, _module: u64) {}

            /// A device's trace has a record, of those that [`Device::start`] asked for: on a
            /// thread that OpenMP does not know, in the order of the trace.
            fn recorded(&self, _device: i32, _record: Record<'_>) {}
        }
    };
}

rows!(tools);
