//! The threads of the program whose end is heard of: what is left when the last of them has ended.
//!
//! Every thread that OpenMP has met, and the main thread from the library's constructor on. A
//! destructor of a key says it (`contact::farewell`), when the thread returns or calls
//! `pthread_exit`; the main thread's return from `main` is an `exit`.

use super::contact;
use crate::records::Thread;
use crate::tasks;
use crate::threads::registry::Lists;
use crate::threads::reserve::{end, surplus};
use core::ffi::c_void;
use omphalos_sys::thread::Key;

/// What the key's word is for the main thread as long as OpenMP has not met it.
static UNMET: u8 = 0;

/// Sees to it that the end of the calling thread is heard of, by its record, or without one.
/// `lists` is locked. Without a key to be had, nothing is heard of.
pub(super) fn hear_of_end(lists: &mut Lists, thread: Option<&'static Thread>) {
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

/// The calling thread's end is heard of no more. `lists` is locked.
pub(super) fn forget_end(lists: &mut Lists) {
    let Some(key) = lists.farewell_key else { return };
    if !key.get().is_null() {
        key.set(core::ptr::null());
        lists.holders = lists.holders.saturating_sub(1);
    }
}

/// Those who end since a thread of the program has ended.
pub(super) struct Leavers {
    workers: Vec<&'static Thread>,
    helpers: bool,
}

/// The calling thread, of the program, has ended. `lists` is locked.
pub(super) fn left(lists: &mut Lists) -> Leavers {
    Leavers { workers: surplus(lists), helpers: lists.holders == 0 }
}

impl Leavers {
    /// Ends them. The lists are not locked.
    pub(super) fn end(self) {
        end(self.workers);
        if self.helpers {
            tasks::end_helpers();
        }
    }
}
