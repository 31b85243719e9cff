//! Decides how long workers without a team stay.
//!
//! A thread of the program that ends gives its workers up. Some of them stay idle for the next
//! thread that needs workers: as many as a region gets by default, or as there are processors, if
//! that is more. The others end. When the last thread of the program has ended, as far as the
//! runtime notices such ends (`process/holders.rs`), all workers end, and so do the hidden helper
//! threads: an idle worker must not keep a process alive. The last of these threads then ends the
//! process, and the C library makes an `exit(0)` of it.

use super::registry;
use super::registry::Lists;
use crate::records::{Thread, summons};
use core::sync::atomic::Ordering;
use omphalos_settings::settings;

/// Returns how many idle workers are kept while a thread of the program is left.
fn most() -> usize {
    let settings = settings();
    (settings.initial.nthreads as usize).max(settings.processors.known()).saturating_sub(1).max(1)
}

/// Takes the idle workers that are not kept; those that became idle last stay. The caller passes
/// them to [`end`].
pub(crate) fn surplus(lists: &mut Lists) -> Vec<&'static Thread> {
    let keep = if lists.holders == 0 { 0 } else { most() };
    let end = lists.idle.len().saturating_sub(keep);
    lists.idle.drain(..end).collect()
}

/// Ends these workers, which are in no list any more. The lists are not locked.
pub(crate) fn end(workers: Vec<&'static Thread>) {
    for worker in workers {
        worker.summons.store(summons::END, Ordering::Release);
        worker.line.gate.order();
    }
}

/// Makes a worker without a team idle. The worker ends if no thread of the program is left.
pub(crate) fn is_idle(worker: &'static Thread) {
    let ends = registry::with(|lists| {
        lists.idle.push(worker);
        if lists.holders == 0 { surplus(lists) } else { Vec::new() }
    });
    end(ends);
}

/// Whether a thread of the program is left, as far as the runtime notices their ends.
pub(crate) fn somebody_is_left() -> bool {
    registry::with(|lists| lists.holders != 0)
}
