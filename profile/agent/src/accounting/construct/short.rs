//! Constructs that are so short that two clock reads would take a good part of their time. Each
//! execution is counted, but only one in some is timed: its time stands for the untimed ones before
//! it too.
//!
//! What must hold: counts are exact. If work between two barriers turns out to be long, it is
//! counted once with its real time, whether or not it was to be timed: it stands for no other
//! execution.

use super::{Constructs, Counters, Place, kind, site, work_number};
use crate::accounting::table::Entry;
use crate::clock;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::{SyncKind, WorkKind};

/// Work between two barriers is short below this, ns.
const SHORT: u64 = 5_000;
/// Work between two barriers is long above this, ns, although the work before was short. Its time
/// goes to the construct that ended last.
const NOT_SHORT: u64 = 20_000;
/// The number of untimed short executions of a construct after which one is timed, whose time
/// stands for them too.
const SKIPPED_SHORT: u64 = 15;
/// The same number for a region that the runtime does not report: there a timed execution costs ten
/// times as much.
const SKIPPED_SUMMED: u64 = 63;
/// The value in place of a time where the clock was not read.
pub const UNTIMED: u64 = 0;

/// Whether the next execution is to be timed, short or not, because at least `skipped` executions
/// before it were not.
#[inline(always)]
fn is_turn_behind(entry: &Entry<{ site::COUNT }>, skipped: u64) -> bool {
    entry.values[site::SKIPPED].load(Relaxed) >= skipped
}

/// Does what [`is_turn_behind`] does, for a region that the runtime reports.
#[inline(always)]
fn is_turn(entry: &Entry<{ site::COUNT }>) -> bool {
    is_turn_behind(entry, SKIPPED_SHORT)
}

/// Returns the time that an execution stands for, which took `time` itself: its own time, and as
/// much for each untimed execution before it.
#[inline]
pub(super) fn stands_for(entry: &Entry<{ site::COUNT }>, time: u64) -> u64 {
    let skipped = &entry.values[site::SKIPPED];
    if skipped.load(Relaxed) == 0 || time > clock::in_ticks_fast(NOT_SHORT) {
        return time;
    }
    time * (1 + skipped.swap(0, Relaxed))
}

impl Constructs {
    /// Does what [`Constructs::begin_work`] does, for a short construct that is in no other one and
    /// whose end is reported. Returns false and does nothing for another construct, or if this
    /// execution is to be timed.
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

    /// Does what [`Constructs::end`] does, for a construct that [`Constructs::begin_short_work`]
    /// began.
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

    /// Counts a construct that begins in a region that the runtime does not report, without a time.
    /// Returns the construct's entry; `None` if the construct is not known yet, or is to be timed.
    /// `count` is the number of iterations; `counts` says that chunks are reported.
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

    /// Returns the counters of a barrier that is a construct of its own. `None` if it is not known
    /// yet.
    #[inline(always)]
    pub fn known_barrier<'a>(
        place: Place<'a>,
        (sync, codeptr): (SyncKind, u64),
    ) -> Option<&'a Entry<{ site::COUNT }>> {
        place.known(codeptr, kind::BARRIER | sync.number() as u32)
    }

    /// Counts the wait at a barrier in such a region. `is_own`: whether the barrier is a construct
    /// of its own; else `entry` is of the loop before it.
    #[inline(always)]
    pub fn count_wait(entry: &Entry<{ site::COUNT }>, number: u32, is_own: bool, wait: u64) {
        if is_own {
            entry.add(site::ENTERED, 1);
            entry.add(site::INSTANCES, u64::from(number == 0));
        }
        entry.add(site::BARRIER, wait);
    }

    /// Returns the number that a record has for such a worksharing construct.
    #[inline(always)]
    pub fn kind_of(work: WorkKind) -> u32 {
        work_number(work)
    }

    /// Whether the combining that begins is short and not to be timed.
    #[inline(always)]
    pub fn is_short_reduction(&self, place: Place<'_>, codeptr: u64) -> bool {
        let known = || place.known(codeptr, kind::REDUCTION);
        self.depth == 0 && self.is_short && known().is_some_and(|entry| !is_turn(entry))
    }

    /// Does what [`Constructs::reduced`] does, for such a combining.
    #[inline(always)]
    pub fn reduced_shortly(&mut self, place: Place<'_>, codeptr: u64) {
        self.has_combined = true;
        let entry = place.entry(codeptr, kind::REDUCTION);
        entry.add(site::SKIPPED, 1);
        entry.add(site::ENTERED, 1);
        entry.add(site::INSTANCES, u64::from(place.number == 0));
    }

    /// Notes how long the thread worked since the last barrier.
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
