//! How long workers stay that belong to nobody.
//!
//! A thread of the program that ends gives its workers up. Some of them wait for the next thread that wants some:
//! as many as a region gets that asks for nothing, or as there are processors, if that is more. The others end. When
//! no thread of the program is left, as far as we hear of their ends, all end, and so do the hidden helper
//! threads: an idle worker is no reason for a process to go on. Its last thread's end is the process's, as the C library
//! has it: `exit(0)`.
//!
//! Whose end is heard of: every thread that OpenMP has met, and the main thread from the library's
//! constructor on. A destructor of a key says it (`registry::farewell`), when the thread returns or calls
//! `pthread_exit`; the main thread's return from `main` is an `exit`.

use super::registry::{self, Lists};
use crate::records::{Thread, summons};
use crate::tasks;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_settings::settings;
use omphalos_sys::thread::Key;

/// What the key's word is for the main thread as long as OpenMP has not met it.
static UNMET: u8 = 0;

/// Sees to it that the end of the calling thread is heard of, by its record, or without one. `lists` is locked.
/// Without a key to be had, nothing is heard of.
pub(super) fn hear_of_end(lists: &mut Lists, thread: Option<&'static Thread>) {
    if lists.farewell_key.is_none() {
        lists.farewell_key = Key::new(registry::farewell);
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

/// How many idle workers are kept while a thread of the program is left.
fn most() -> usize {
    let settings = settings();
    (settings.initial.nthreads as usize).max(settings.processors.known()).saturating_sub(1).max(1)
}

/// Takes the idle workers that are not to be kept; the latest stay. They go on to [`end`].
pub(super) fn surplus(lists: &mut Lists) -> Vec<&'static Thread> {
    let keep = if lists.holders == 0 { 0 } else { most() };
    let end = lists.idle.len().saturating_sub(keep);
    lists.idle.drain(..end).collect()
}

/// Ends these workers, which nobody else knows any more. The lists are not locked.
pub(crate) fn end(workers: Vec<&'static Thread>) {
    for worker in workers {
        worker.summons.store(summons::END, Ordering::Release);
        worker.line.gate.order();
    }
}

/// A worker that was somebody's is idle; it ends if no thread of the program is left.
pub(crate) fn is_idle(worker: &'static Thread) {
    let ends = registry::with(|lists| {
        lists.idle.push(worker);
        if lists.holders == 0 { surplus(lists) } else { Vec::new() }
    });
    end(ends);
}

/// Whether a thread of the program is left, as far as we hear of their ends.
pub(crate) fn somebody_is_left() -> bool {
    registry::with(|lists| lists.holders != 0)
}

/// Those who end since a thread of the program has ended.
pub(super) struct Leavers {
    workers: Vec<&'static Thread>,
    helpers: bool,
}

/// The calling thread, of the program, has ended. `lists` is locked.
pub(super) fn holder_left(lists: &mut Lists) -> Leavers {
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
