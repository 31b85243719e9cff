//! OMPT tools in safe Rust: a tool is a type that implements [`Tool`].
//!
//! OMPT is the tool interface of OpenMP 5.0 to 6.0. A runtime that has it (Omphalos, and so every
//! program on it; LLVM's and Intel's) calls a tool at each event that the tool asks for. Build the
//! tool as a `cdylib` and name it in `OMP_TOOL_LIBRARIES`, or preload it:
//!
//! ```
//! use omphalos_ompt::{Events, ImplicitTask, Endpoint, Runtime, Tool, tool};
//! use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
//!
//! #[derive(Default)]
//! struct Tasks { begun: AtomicU64 }
//!
//! impl Tool for Tasks {
//!     const EVENTS: Events = Events::IMPLICIT_TASK;
//!
//!     fn start(_: Runtime<'_>) -> Option<Self> { Some(Tasks::default()) }
//!
//!     fn implicit_task(&self, event: ImplicitTask<'_>) {
//!         if event.endpoint == Endpoint::Begin { self.begun.fetch_add(1, Relaxed); }
//!     }
//!
//!     fn end(&self) { eprintln!("{} implicit tasks", self.begun.load(Relaxed)); }
//! }
//!
//! tool!(Tasks);
//! # fn main() {}
//! ```
//!
//! `README.md` has an overview, `examples/regions.rs` is a whole tool. The OpenMP specification,
//! chapter "OMPT Interface", explains the names; each item here names its counterpart.
#![deny(missing_docs)]

#[macro_use]
mod rows;

mod attach;
mod callbacks;
#[cfg(test)]
mod complete;
mod device;
mod event;
mod events;
mod host;
mod kinds;
mod raw;
mod tool;
mod word;

pub use device::{Device, Record, Recorded};
pub use event::*;
pub use events::Events;
pub use host::{Host, Level, RegionInfo, TaskInfo};
pub use kinds::*;
pub use tool::{Runtime, Tool};
pub use word::{Frame, Word};

/// The counts of a thread by this project's runtime ([`Host::quiet_counts`]).
pub mod quiet {
    pub use omphalos_abi::ompt::{
        OMPHALOS_QUIET_SITES, OMPHALOS_QUIET_WAYS, omphalos_quiet_site_t, omphalos_quiet_t,
    };
}

/// The sums of a thread by this project's runtime ([`Host::sums`]).
pub mod sums {
    pub use omphalos_abi::ompt::{
        OMPHALOS_SUM_SITES, omphalos_sum_site_t, omphalos_sums_t, omphalos_times_t,
    };
}

/// The wishes that a tool may ask of this project's runtime ([`Host::wish`]).
pub mod wishes {
    pub use omphalos_abi::ompt::{
        omphalos_wish_bodies as BODIES, omphalos_wish_doacross_waits as DOACROSS_WAITS,
        omphalos_wish_late_ends as LATE_ENDS,
    };
}

/// The parts that [`tool!`] needs; not for use by hand.
#[doc(hidden)]
pub mod inside {
    pub use crate::attach::{Attached, Place, start};
    pub use omphalos_abi::ompt::ompt_start_tool_result_t;
}

/// Makes a type the tool of this library: defines `ompt_start_tool`, the name that runtimes look
/// for. Once in a library.
///
/// `tool!(Type, unless condition)` declines without making the tool where the condition holds: for
/// a library that is sometimes loaded for something else.
#[macro_export]
macro_rules! tool {
    ($type:ty) => {
        $crate::tool!($type, unless false);
    };
    ($type:ty, unless $declines:expr) => {
        impl $crate::inside::Attached for $type {
            #[inline]
            fn place() -> &'static $crate::inside::Place<Self> {
                static PLACE: $crate::inside::Place<$type> = $crate::inside::Place::new();
                &PLACE
            }
        }

        /// OMPT's start: a runtime finds the tool by this name.
        ///
        /// # Safety
        /// For an OpenMP runtime; `name` is null or a C string.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn ompt_start_tool(
            version: ::core::ffi::c_uint,
            name: *const ::core::ffi::c_char,
        ) -> *mut $crate::inside::ompt_start_tool_result_t {
            if $declines {
                return ::core::ptr::null_mut();
            }
            // SAFETY: the caller's promise.
            unsafe { $crate::inside::start::<$type>(version, name) }
        }
    };
}
