//! Times regions of which no tool is told, and adds the times up (`omphalos_events::sums`). Such a
//! region is short: each of its six events would cost more than its work.
//!
//! The cost: the primary reads the clock five times, a worker twice. A worker writes its two times
//! on the line of `joined`, which its primary reads anyway; so no further line goes between them.
//! The primary adds up for all. The sums of workers are on lines that no other thread touches while
//! regions come fast.
//!
//! What must hold: a worker's times are written before `joined` (SeqCst) and read after it. The
//! primary writes a [`WorkerSums`] between the worker's `joined` and the worker's next order, so
//! the thread that gives that order has seen it.

use crate::records::{Slot, Team, Thread, Watch, Work};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_events::partner;
use omphalos_events::sums::WorkerSums;
use omphalos_sys::{ticks, ticks_behind_reads};

/// Whether the region that the thread is about to begin is summed.
#[inline(always)]
pub(super) fn begins(thread: &Thread, parent: &Team, codeptr: u64, work: &Work) -> bool {
    let sums = &thread.notes.sums;
    sums.is_on()
        && parent.level.get() == 0
        && parent.league.get() == (1, 0)
        && parent.on_device.get() == 0
        && partner::is_the_only_tool()
        && sums.begin(work.code(), codeptr, ticks())
}

/// Notes the word of the region's site in the team, once the region has one.
#[inline(always)]
pub(super) fn name(thread: &Thread, team: &Team) {
    let word = thread.notes.sums.region().map_or(0, |(place, _)| place.word.load(Relaxed));
    team.summed.put(team.as_owner(), word);
}

/// Notes that the primary begins its part of the work.
#[cold]
#[inline(never)]
pub(super) fn primary_works(thread: &Thread, team: &Team) {
    thread.notes.sums.begin_work(team.summed.get(), 0, ticks());
}

/// Notes that a worker begins its part.
#[cold]
#[inline(never)]
pub(super) fn worker_works(thread: &Thread, team: &Team, slot: &'static Slot) {
    let sums = &thread.notes.sums;
    let own = core::ptr::from_ref(&slot.sums).cast_mut();
    sums.as_worker.store(own, Relaxed);
    sums.begin_work(team.summed.get(), thread.num.get(), ticks_behind_reads());
}

/// Publishes the times of a worker whose part ends.
#[cold]
#[inline(never)]
pub(super) fn worker_ends(thread: &Thread, slot: &Slot) {
    let until = ticks();
    let (since, ran) = thread.notes.sums.end_work(until);
    let times = &slot.published.times;
    times.since.store(since, Relaxed);
    times.until.store(until, Relaxed);
    times.ran.store(ran.map_or(0, |ran| ran + 1), Relaxed);
}

/// The times of the primary's part: its begin, its end, and how long it ran as the tool says.
pub(super) type Part = (u64, u64, Option<u64>);

/// Returns the times of the primary, whose part ends.
#[cold]
#[inline(never)]
pub(super) fn primary_ends(thread: &Thread) -> Part {
    let until = ticks();
    let (since, ran) = thread.notes.sums.end_work(until);
    (since, until, ran)
}

/// Adds up the times of a region that is over. `part`: the primary's times.
#[cold]
#[inline(never)]
pub(super) fn over(thread: &Thread, team: &Team, part: Part) {
    let now = ticks_behind_reads();
    let sums = &thread.notes.sums;
    let Some((place, begun)) = sums.region() else { return };
    let (mut longest, mut sum) = (0, 0);
    let mut add = |to: &omphalos_events::sums::Times, (since, until, ran): Part| {
        let length = until.saturating_sub(since);
        // A tool that knows how long the member ran adds that work by itself.
        let work = if ran.is_some() { 0 } else { length };
        let (wait, overhead) = (now.saturating_sub(until), since.saturating_sub(begun));
        to.add(work, wait, overhead);
        place.times.add(work, wait, overhead);
        let ran = ran.unwrap_or(length);
        longest = longest.max(ran);
        sum += ran;
    };
    add(&sums.own, part);
    let size = team.size.get();
    for num in 1..size {
        let slot = team.slot(num);
        let times = &slot.published.times;
        let [since, until, ran] = [&times.since, &times.until, &times.ran].map(|t| t.load(Relaxed));
        let WorkerSums(own) = &slot.sums;
        add(own, (since, until, ran.checked_sub(1)));
    }
    // The time that adding up takes is the region's overhead, not the program's time behind it.
    let end = ticks();
    let adding = end.saturating_sub(now);
    sums.own.add(0, 0, adding);
    place.times.add(0, 0, adding * u64::from(size));
    place.add_region(u64::from(size), end.saturating_sub(begun), sum, longest);
    sums.over(end);
    if team.has_tasks(thread) {
        // The region's tasks run in its closing barrier, and the tool is told of that barrier. So
        // no further region of this site is summed.
        place.function.store(0, Relaxed);
        left(thread);
    }
}

/// Notes that the thread leaves a summed region that had tasks. The tool was told of these.
#[cold]
#[inline(never)]
pub(super) fn left(thread: &Thread) {
    thread.notes.sums.left();
}

/// Returns the word of the site of the summed region that the calling thread is in, and the
/// thread's number there; (0, 0) if it is in no such region, or in one that is known to be over.
/// Async-signal-safe.
pub(crate) fn current() -> (u64, u32) {
    let of = |thread: &'static Thread| {
        // SAFETY: null or a record that is never freed.
        let team = unsafe { thread.team.get().as_ref() }?;
        if team.watched.get() != Watch::Summed {
            return None;
        }
        let region = thread.slot().region.get();
        let is_open =
            team.region.get() == region && team.slot(0).published.left.load(Relaxed) != region;
        is_open.then(|| (team.summed.get(), thread.num.get()))
    };
    Thread::known().and_then(of).unwrap_or((0, 0))
}
