//! Counts the threads of the program whose end the runtime notices. The hidden helpers end with the
//! last one.
//!
//! The runtime notices the end of all threads that have met OpenMP, and of the main thread even if
//! it has not. The destructor of a key notices the end (`contact::farewell`) when the thread
//! returns or calls `pthread_exit`. The main thread's return from `main` is an `exit` instead.

use super::contact;
use crate::records::Thread;
use crate::tasks;
use crate::threads::registry::Lists;
use crate::threads::reserve::{end, surplus};
use core::ffi::c_void;
use omphalos_sys::thread::Key;

/// The key's value for the main thread until it meets OpenMP.
static UNMET: u8 = 0;

/// Makes the runtime notice the calling thread's end. `thread` is its record, `None` if it has none
/// yet. `lists` is locked. If the system has no key left, no end is noticed.
pub(super) fn notice_end(lists: &mut Lists, thread: Option<&'static Thread>) {
    if lists.farewell_key.is_none() {
        lists.farewell_key = Key::new(contact::farewell);
    }
    let Some(key) = lists.farewell_key else { return };
    let unmet: *const c_void = (&raw const UNMET).cast();
    let value = thread.map_or(unmet, |thread| core::ptr::from_ref(thread).cast());
    // `farewell` only compares the value.
    let known = !key.get().is_null();
    if key.set(value) && !known {
        lists.holders += 1;
    }
}

/// Undoes [`notice_end`] for the calling thread. `lists` is locked.
pub(super) fn forget_end(lists: &mut Lists) {
    let Some(key) = lists.farewell_key else { return };
    if !key.get().is_null() {
        key.set(core::ptr::null());
        lists.holders = lists.holders.saturating_sub(1);
    }
}

/// The workers that end because a thread of the program has ended.
pub(super) struct Leavers {
    workers: Vec<&'static Thread>,
    helpers: bool,
}

/// Returns the workers to end now that the calling thread of the program ends. `lists` is locked.
pub(super) fn left(lists: &mut Lists) -> Leavers {
    Leavers { workers: surplus(lists), helpers: lists.holders == 0 }
}

impl Leavers {
    /// Ends these workers. The lists are not locked.
    pub(super) fn end(self) {
        end(self.workers);
        if self.helpers {
            tasks::end_helpers();
        }
    }
}
