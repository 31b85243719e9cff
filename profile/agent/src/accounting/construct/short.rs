//! Constructs that are over so soon that to look at the clock at their begin and end would take a
//! good part of their time: each is counted, and of each one execution in some is timed, which
//! stands for those before it.
//!
//! What must hold: counts are exact. Where work between two barriers turns out to be long, the time
//! is counted once as it is, whether it was to be timed or not: it stands for nothing else.

use super::{Constructs, Counters, Place, kind, site, work_number};
use crate::accounting::table::Entry;
use crate::clock;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::WorkKind;

/// Work between two barriers is short below this, ns.
const SHORT: u64 = 5_000;
/// Work between two barriers is long above this, ns, although the one before was short: it is taken
/// for the construct's that ended last.
const NOT_SHORT: u64 = 20_000;
/// So many short executions of a construct are not timed, then one is, which stands for all.
const SKIPPED_SHORT: u64 = 15;
/// The same where nobody is told of the region: an execution that is timed costs ten times as much.
const SKIPPED_SUMMED: u64 = 63;
/// In the place of a time: it was not looked at.
pub const UNTIMED: u64 = 0;

/// Whether the next execution is one that is timed although it may be short, as so many before it
/// were not.
#[inline(always)]
fn is_turn_behind(entry: &Entry<{ site::COUNT }>, skipped: u64) -> bool {
    entry.values[site::SKIPPED].load(Relaxed) >= skipped
}

/// As [`is_turn_behind`] where the region is told.
#[inline(always)]
fn is_turn(entry: &Entry<{ site::COUNT }>) -> bool {
    is_turn_behind(entry, SKIPPED_SHORT)
}

/// The time that an execution of this construct stands for which took so long itself: its own, and
/// that of those before it that were like it.
#[inline]
pub(super) fn stands_for(entry: &Entry<{ site::COUNT }>, time: u64) -> u64 {
    let skipped = &entry.values[site::SKIPPED];
    if skipped.load(Relaxed) == 0 || time > clock::in_ticks_fast(NOT_SHORT) {
        return time;
    }
    time * (1 + skipped.swap(0, Relaxed))
}

impl Constructs {
    /// As [`Constructs::begin_work`] of a short construct in no other one, of which an end is told,
    /// where this execution is not to be timed; false where it is, and nothing was done.
    #[inline(always)]
    pub fn begin_short_work(
        &mut self,
        place: Place<'_>,
        work: WorkKind,
        (codeptr, count): (u64, u64),
    ) -> bool {
        if self.depth != 0 || !self.is_short {
            return false;
        }
        let kind = work_number(work);
        let Some(entry) = place.known(codeptr, kind).filter(|entry| !is_turn(entry)) else {
            return false;
        };
        let begun = &mut self.begun[0];
        (begun.kind, begun.executes, begun.entry) = (kind, false, Counters::of(entry));
        (begun.codeptr, begun.iterations) = (codeptr, count);
        (begun.chunks, begun.since) = (0, UNTIMED);
        self.depth = 1;
        (self.last.kind, self.is_open) = (0, false);
        (self.has_combined, self.was_inner) = (false, false);
        true
    }

    /// As [`Constructs::end`] of what began so.
    #[inline(always)]
    pub fn end_short_work(&mut self, place: Place<'_>, codeptr: u64, counts: bool) -> bool {
        let begun = self.begun[0];
        let Some(entry) = begun.entry.get().filter(|_| self.depth == 1 && begun.since == UNTIMED)
        else {
            return false;
        };
        self.depth = 0;
        entry.add(site::SKIPPED, 1);
        entry.add(site::ENTERED, 1);
        if place.number == 0 {
            entry.add(site::INSTANCES, 1);
            entry.add(site::ITERATIONS, begun.iterations);
            entry.add(site::COUNTED, if counts { begun.iterations } else { 0 });
        }
        entry.add(site::CHUNKS, if counts { begun.chunks } else { 0 });
        entry.values[site::END].store(codeptr, Relaxed);
        (self.last.kind, self.last.codeptr, self.last.since) = (begun.kind, begun.codeptr, UNTIMED);
        (self.last.executes, self.last.entry) = (false, begun.entry);
        true
    }

    /// A construct in a region of which nobody is told begins: it is counted, as one of which no
    /// time is taken, and has this entry. None where it is not known yet, or to be timed. `count`:
    /// iterations. `counts`: chunks are told.
    #[inline(always)]
    pub fn count_summed<'a>(
        place: Place<'a>,
        kind: u32,
        (codeptr, count): (u64, u64),
        counts: bool,
    ) -> Option<&'a Entry<{ site::COUNT }>> {
        let is_turn = |entry: &_| is_turn_behind(entry, SKIPPED_SUMMED);
        let entry = place.known(codeptr, kind).filter(|entry| !is_turn(entry))?;
        entry.add(site::SKIPPED, 1);
        entry.add(site::ENTERED, 1);
        if place.number == 0 {
            entry.add(site::INSTANCES, 1);
            entry.add(site::ITERATIONS, count);
            entry.add(site::COUNTED, if counts { count } else { 0 });
        }
        Some(entry)
    }

    /// The number in a record of such a worksharing construct.
    #[inline(always)]
    pub fn kind_of(work: WorkKind) -> u32 {
        work_number(work)
    }

    /// Whether the combining that begins is a short one that is not to be timed.
    #[inline(always)]
    pub fn is_short_reduction(&self, place: Place<'_>, codeptr: u64) -> bool {
        let known = || place.known(codeptr, kind::REDUCTION);
        self.depth == 0 && self.is_short && known().is_some_and(|entry| !is_turn(entry))
    }

    /// As [`Constructs::reduced`] of such a one.
    #[inline(always)]
    pub fn reduced_shortly(&mut self, place: Place<'_>, codeptr: u64) {
        self.has_combined = true;
        let entry = place.entry(codeptr, kind::REDUCTION);
        entry.add(site::SKIPPED, 1);
        entry.add(site::ENTERED, 1);
        entry.add(site::INSTANCES, u64::from(place.number == 0));
    }

    /// The thread worked for so long since the last barrier.
    #[inline(always)]
    pub fn worked(&mut self, time: u64) {
        let was_short = core::mem::replace(&mut self.is_short, time < clock::in_ticks_fast(SHORT));
        if was_short && time > clock::in_ticks_fast(NOT_SHORT) {
            self.worked_long(time);
        }
    }

    #[cold]
    fn worked_long(&self, time: u64) {
        let last = self.last;
        if let Some(entry) = last.entry.get().filter(|_| last.kind != 0 && last.since == UNTIMED) {
            entry.add(site::TIME, time);
        }
    }
}
