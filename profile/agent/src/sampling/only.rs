//! Regions that are measured alone: the run is measured while one of them is open.
//!
//! The user who starts the program names, by file and offset, the calls of the runtime that make
//! these regions. It takes some time to begin a part and to end it: instances that follow each
//! other too closely for that are left out, and counted.

use super::part;
use crate::clock::ticks;
use crate::config::Wanted;
use crate::stream::{self, process};
use crate::{recording, unwind};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use omphalos_profile_format::severity;

/// The time between two parts is at least this many times the cost of a part's begin and end.
const OF_COST: u64 = 20;

static IS_ON: AtomicBool = AtomicBool::new(false);
/// The time before which no part begins, ticks.
static NEXT: AtomicU64 = AtomicU64::new(0);
/// How long the present part took to begin, ticks.
static COST: AtomicU64 = AtomicU64::new(0);
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);

/// Prepares at the agent's start: if some regions are to be measured alone, nothing is measured at
/// first.
pub fn prepare() {
    if !recording::config().only.is_empty() {
        IS_ON.store(true, Relaxed);
        recording::set_measured(false);
    }
}

/// Notes that the call that returns to `codeptr` is about to make a region. Returns true if the
/// region is one of those, and is measured from here on; [`leave`] is called at its end.
#[inline]
pub fn enter(codeptr: u64) -> bool {
    IS_ON.load(Relaxed) && enter_wanted(codeptr)
}

#[cold]
fn enter_wanted(codeptr: u64) -> bool {
    if !is_wanted(codeptr) {
        return false;
    }
    let begin = ticks();
    if !part::is_inside() && begin < NEXT.load(Relaxed) {
        LEFT_OUT.fetch_add(1, Relaxed);
        return false;
    }
    if part::enter() {
        COST.store(ticks() - begin, Relaxed);
    }
    true
}

/// Notes that such a region ended.
#[cold]
pub fn leave() {
    let begin = ticks();
    if part::leave() {
        let now = ticks();
        let cost = COST.load(Relaxed) + (now - begin);
        NEXT.store(now + OF_COST * cost, Relaxed);
    }
}

fn is_wanted(codeptr: u64) -> bool {
    let is_it = |modules: &unwind::modules::Modules| {
        let Some(module) = modules.find(codeptr) else { return false };
        let offset = codeptr - module.start + module.file_offset;
        let has = |wanted: &Wanted| {
            wanted.path == module.path && wanted.offsets.binary_search(&offset).is_ok()
        };
        recording::config().only.iter().any(has)
    };
    unwind::modules::with_newest(|modules, _| is_it(modules)).unwrap_or(false)
}

/// Reports at the agent's end how many instances were left out.
pub fn finish() {
    let left_out = LEFT_OUT.load(Relaxed);
    if left_out > 0 && stream::is_open() {
        let text = format!(
            "{left_out} instances of the regions that were asked for are not measured: they \
             followed others too closely"
        );
        process::write_message(severity::WARNING, &text);
    }
}
