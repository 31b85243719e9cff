//! The Collector API of 2007 (`omp_collector_api.h`, OpenMP ARB white paper): its numbers.
//!
//! Plain integers, as in [`crate::ompt`]: they come from a client's memory and may be anything.
#![allow(non_camel_case_types)]

use core::ffi::c_int;

/// The one name that clients ask the dynamic linker for.
pub const OMP_COLLECTOR_API: &core::ffi::CStr = c"__omp_collector_api";

/// Header of an entry: `sz`, `r#`, `ec`, `rsz`, 4 bytes each; `mem` follows.
pub const HEADER: usize = 16;

macro_rules! numbers {
    ($($(#[$meta:meta])* $ty:ident { $($(#[$emeta:meta])* $name:ident = $value:literal,)* })*) => {
        $(
            $(#[$meta])*
            pub type $ty = c_int;
            $($(#[$emeta])* pub const $name: $ty = $value;)*
        )*

        /// Every number with its name, as the header has them.
        pub const NUMBERS: &[(&str, c_int)] = &[$($((stringify!($name), $name),)*)*];
    };
}

numbers! {
    /// `OMP_COLLECTORAPI_REQUEST`.
    Request {
        /// Begins a session. Not async-signal-safe.
        OMP_REQ_START = 0,
        /// `{event, callback}`. Not async-signal-safe.
        OMP_REQ_REGISTER = 1,
        /// `event`. Not async-signal-safe.
        OMP_REQ_UNREGISTER = 2,
        /// Answers `{state, wait id}`. Async-signal-safe.
        OMP_REQ_STATE = 3,
        /// Answers the region's id. Async-signal-safe.
        OMP_REQ_CURRENT_PRID = 4,
        /// Answers the id of the region around it.
        OMP_REQ_PARENT_PRID = 5,
        /// Ends the session. Not async-signal-safe.
        OMP_REQ_STOP = 6,
        /// No events until RESUME. Not async-signal-safe.
        OMP_REQ_PAUSE = 7,
        /// Events again. Not async-signal-safe.
        OMP_REQ_RESUME = 8,
        /// The end of the numbers.
        OMP_REQ_LAST = 9,
    }
    /// `OMP_COLLECTORAPI_EC`.
    ErrorCode {
        /// Done.
        OMP_ERRCODE_OK = 0,
        /// The size is wrong, or `mem` cannot be used.
        OMP_ERRCODE_ERROR = 1,
        /// No such request (or event).
        OMP_ERRCODE_UNKNOWN = 2,
        /// Known, but not supported.
        OMP_ERRCODE_UNSUPPORTED = 3,
        /// The request is out of order: before START, after STOP, or a second START.
        OMP_ERRCODE_SEQUENCE_ERR = 4,
        /// No longer supported.
        OMP_ERRCODE_OBSOLETE = 5,
        /// The request may not come from this thread.
        OMP_ERRCODE_THREAD_ERR = 6,
        /// The answer does not fit; `rsz` says how much room it needs.
        OMP_ERRCODE_MEM_TOO_SMALL = 7,
        /// The end of the numbers.
        OMP_ERRCODE_LAST = 8,
    }
    /// `OMP_COLLECTORAPI_EVENT`.
    Event {
        /// A primary thread is about to fork a team.
        OMP_EVENT_FORK = 1,
        /// The region is over.
        OMP_EVENT_JOIN = 2,
        /// Enters [`THR_IDLE_STATE`].
        OMP_EVENT_THR_BEGIN_IDLE = 3,
        /// Leaves it.
        OMP_EVENT_THR_END_IDLE = 4,
        /// Enters [`THR_IBAR_STATE`].
        OMP_EVENT_THR_BEGIN_IBAR = 5,
        /// Leaves it.
        OMP_EVENT_THR_END_IBAR = 6,
        /// Enters [`THR_EBAR_STATE`].
        OMP_EVENT_THR_BEGIN_EBAR = 7,
        /// Leaves it.
        OMP_EVENT_THR_END_EBAR = 8,
        /// Enters [`THR_LKWT_STATE`].
        OMP_EVENT_THR_BEGIN_LKWT = 9,
        /// Leaves it.
        OMP_EVENT_THR_END_LKWT = 10,
        /// Enters [`THR_CTWT_STATE`].
        OMP_EVENT_THR_BEGIN_CTWT = 11,
        /// Leaves it.
        OMP_EVENT_THR_END_CTWT = 12,
        /// Enters [`THR_ODWT_STATE`].
        OMP_EVENT_THR_BEGIN_ODWT = 13,
        /// Leaves it.
        OMP_EVENT_THR_END_ODWT = 14,
        /// Enters a master region.
        OMP_EVENT_THR_BEGIN_MASTER = 15,
        /// Leaves it.
        OMP_EVENT_THR_END_MASTER = 16,
        /// Enters a single region.
        OMP_EVENT_THR_BEGIN_SINGLE = 17,
        /// Leaves it.
        OMP_EVENT_THR_END_SINGLE = 18,
        /// Enters an ordered region.
        OMP_EVENT_THR_BEGIN_ORDERED = 19,
        /// Leaves it.
        OMP_EVENT_THR_END_ORDERED = 20,
        /// Enters [`THR_ATWT_STATE`].
        OMP_EVENT_THR_BEGIN_ATWT = 21,
        /// Leaves it.
        OMP_EVENT_THR_END_ATWT = 22,
        /// From here on an implementation's own.
        OMP_EVENT_THR_RESERVED_IMPL = 4096,
        /// The end of the numbers.
        OMP_EVENT_LAST = 4097,
    }
    /// `OMP_COLLECTOR_API_THR_STATE`.
    ThreadState {
        /// Overhead.
        THR_OVHD_STATE = 1,
        /// Works in a parallel region.
        THR_WORK_STATE = 2,
        /// In an implicit barrier.
        THR_IBAR_STATE = 3,
        /// In an explicit barrier.
        THR_EBAR_STATE = 4,
        /// A worker waits for a region.
        THR_IDLE_STATE = 5,
        /// Outside every parallel region.
        THR_SERIAL_STATE = 6,
        /// Combines a reduction.
        THR_REDUC_STATE = 7,
        /// Waits for a lock.
        THR_LKWT_STATE = 8,
        /// Waits for a critical section.
        THR_CTWT_STATE = 9,
        /// Waits for its turn in an ordered construct.
        THR_ODWT_STATE = 10,
        /// Waits for an atomic construct.
        THR_ATWT_STATE = 11,
        /// The end of the numbers.
        THR_LAST_STATE = 12,
    }
}

/// A client's callback.
pub type Callback = unsafe extern "C" fn(event: Event);
