//! How long workers stay that belong to nobody.
//!
//! A thread of the program that ends gives its workers up. Some of them wait for the next thread
//! that wants some: as many as a region gets that asks for nothing, or as there are processors, if
//! that is more. The others end. When no thread of the program is left, as far as we hear of their
//! ends, all end, and so do the hidden helper threads: an idle worker is no reason for a process to
//! go on. Its last thread's end is the process's, as the C library has it: `exit(0)`.
//!
//! Whose end is heard of: `process/holders.rs`.

use super::registry;
use super::registry::Lists;
use crate::records::{Thread, summons};
use core::sync::atomic::Ordering;
use omphalos_settings::settings;

/// How many idle workers are kept while a thread of the program is left.
fn most() -> usize {
    let settings = settings();
    (settings.initial.nthreads as usize).max(settings.processors.known()).saturating_sub(1).max(1)
}

/// Takes the idle workers that are not to be kept; the latest stay. They go on to [`end`].
pub(crate) fn surplus(lists: &mut Lists) -> Vec<&'static Thread> {
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
