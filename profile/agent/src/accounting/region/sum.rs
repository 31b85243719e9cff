//! The figures that an instance of a region adds to its site.

use super::{Region, Slot, site};
use crate::accounting::Class;
use crate::accounting::pace::SAMPLED;
use crate::accounting::table::Entry;
use crate::clock::in_ticks_fast;
use core::sync::atomic::Ordering::Relaxed;

/// Returns when the thread whose task began at `first` was asked for, in a region that began at
/// `begin`. For a thread that was made for the region this is the begin of its life. That word
/// changes all the time, so it is not read where the thread came sooner than any thread can be
/// made.
#[inline]
fn asked_for(slot: &Slot, begin: u64, first: u64) -> u64 {
    /// ns.
    const SOONEST_MADE: u64 = 5_000;
    if first.saturating_sub(begin) < in_ticks_fast(SOONEST_MADE) {
        return begin;
    }
    begin.max(slot.thread().map_or(0, |thread| thread.account.begun()))
}

impl Region {
    /// Returns for how long the thread of an implicit task has waited at `now`, in this region, and
    /// the figure that this time belongs to.
    fn open_wait(&self, slot: &Slot, now: u64) -> Option<(usize, u64)> {
        let thread = slot.thread()?;
        if thread.place.codeptr.load(Relaxed) != self.codeptr.load(Relaxed) {
            return None;
        }
        let (place, since) = match thread.account.class() {
            Class::Mutex => (site::MUTEX, thread.place.wait_since.load(Relaxed)),
            Class::TaskWait => (site::TASK_WAIT, thread.account.since()),
            Class::Barrier => (site::BARRIER, thread.account.since()),
            _ => return None,
        };
        Some((place, now.saturating_sub(since)))
    }

    /// For an instance that is open: returns how much of the `rest` after a task's stored share is
    /// no wait at a barrier, and the figure that this time belongs to.
    fn open_rest(&self, slot: &Slot, rest: u64, now: u64) -> Option<(usize, u64)> {
        let thread = slot.thread()?;
        let is_here = thread.place.codeptr.load(Relaxed) == self.codeptr.load(Relaxed);
        match self.open_wait(slot, now) {
            Some((site::BARRIER, _)) => None,
            Some((place, wait)) => Some((place, wait.min(rest))),
            None if slot.has_left() => Some((site::WORK, rest)),
            None if is_here && thread.account.class() == Class::Work => {
                Some((site::WORK, now.saturating_sub(thread.account.since()).min(rest)))
            }
            None => None,
        }
    }

    pub(super) fn over_by(&self, end: u64) -> u64 {
        match self.over.load(Relaxed) {
            0 => end,
            over => over,
        }
    }

    /// Adds all shares to `entry`. `open`: whether the instance has not ended; then its threads may
    /// wait for ever.
    pub(super) fn sum(&self, entry: &Entry<{ site::COUNT }>, end: u64, open: bool) {
        let begin = self.begin.load(Relaxed);
        let over = self.over_by(end);
        // Two pairs of work and the part of it that had a processor: of the thread that worked
        // longest, and summed over all threads.
        let (mut longest, mut sum, mut team) = ((0, 0), (0, 0), 0);
        let (mut created, mut executed) = (0u64, 0u64);
        for slot in self.begun() {
            let first = slot.begin.load(Relaxed);
            let asked = asked_for(slot, begin, first);
            team += 1;
            let at = slot.at.load(Relaxed);
            if at == 0 {
                // A task that never stored a share worked to the end.
                let mut work = over.saturating_sub(first);
                if open && let Some((place, wait)) = self.open_wait(slot, end) {
                    let wait = wait.min(work);
                    entry.add(place, wait);
                    work -= wait;
                }
                let ran = work.saturating_sub(slot.queued_so_far());
                longest = longest.max((work, ran));
                sum = (sum.0 + work, sum.1 + ran);
                let joined = first.saturating_sub(asked) + end.saturating_sub(over);
                entry.add(site::OVERHEAD, joined);
                continue;
            }
            let rest = over.saturating_sub(at);
            let mut work = slot.work.load(Relaxed);
            let known = if open { self.open_rest(slot, rest, end) } else { None };
            let rest = rest - known.map_or(0, |(_, time)| time);
            match known {
                Some((site::WORK, time)) => work += time,
                Some((place, time)) => entry.add(place, time),
                None => {}
            }
            let more = if slot.has_tasks.load(Relaxed) {
                slot.estimated(rest.min(slot.left_by(at, over) - at))
            } else {
                [0; 3]
            };
            let [more_work, more_task_work, more_task_wait] = more;
            let work = work + more_work;
            let queued = if open { slot.queued_so_far() } else { slot.queued.load(Relaxed) };
            let ran = work.saturating_sub(queued);
            longest = longest.max((work, ran));
            sum = (sum.0 + work, sum.1 + ran);
            let waited = rest.saturating_sub(more_work + more_task_wait);
            entry.add(site::BARRIER, slot.barrier.load(Relaxed) + waited);
            entry.add(site::MUTEX, slot.mutex.load(Relaxed));
            entry.add(site::TASK_WAIT, slot.task_wait.load(Relaxed) + more_task_wait);
            let joined = first.saturating_sub(asked) + end.saturating_sub(over);
            entry.add(site::OVERHEAD, slot.overhead.load(Relaxed) + joined);
            if slot.has_tasks.load(Relaxed) {
                created += slot.created();
                executed += slot.executed.load(Relaxed);
                entry.add(site::TASK_WORK, slot.task_work.load(Relaxed) + more_task_work);
                let barriers = slot.implementation_barriers.load(Relaxed);
                entry.add(site::IMPLEMENTATION_BARRIERS, barriers);
            }
        }
        // All tasks of a region are over when the region is, but the agent need not have seen all
        // of them.
        if SAMPLED.load(Relaxed) {
            executed = executed.max(created);
        }
        entry.add(site::CREATED, created);
        entry.add(site::EXECUTED, executed);
        entry.add(site::INSTANCES, 1);
        entry.add(site::ELAPSED, end.saturating_sub(begin));
        entry.add(site::TEAM, team);
        entry.add(site::WORK, sum.0);
        entry.add(site::QUEUED, sum.0 - sum.1);
        // The thread that worked longest has more to do than the others only if it also ran for
        // longer. If it lost its processor, the others took chunks in its place, or waited.
        let more = (longest.0 * team).saturating_sub(sum.0);
        let imbalance = more.min((longest.1 * team).saturating_sub(sum.1));
        entry.add(site::IMBALANCE, imbalance);
        entry.add(site::GAIN, imbalance.checked_div(team).unwrap_or(0));
    }
}
