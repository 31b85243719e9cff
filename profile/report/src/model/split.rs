//! Divides a sample's time: before its region, at its place, blocked, without a processor.

use omphalos_profile_format::Sample;

use super::queued::{Queued, Without};
use super::shares::Class;
use super::within::part;
use crate::ompt::Activity;
use crate::recording::{CallName, Recording};
use crate::samples::Taken;

/// The tick of the slowest kernels, ns. Only a longer time before a region counts as outside of it.
/// Where short regions follow each other, one sample stands for others like it.
const WHILE: u64 = 20_000_000;

/// The parts of a sample's time; see the module. They are ns, and add up to the time that the
/// sample stands for.
pub(super) struct Split {
    /// The class of the time at its place.
    pub(super) class: Class,
    /// At its place, running.
    pub(super) time: u64,
    /// Before its region, running.
    pub(super) before: u64,
    /// Without a processor.
    pub(super) queued: u64,
    /// Blocked in a call.
    pub(super) blocked: Option<(CallName, u64)>,
    /// True if `blocked` is longer than all other time since the sample's region began.
    pub(super) is_mostly_blocked: bool,
    /// Periods at work without a processor.
    pub(super) periods: u32,
}

impl Split {
    /// Divides the time of a thread's next sample, in which it was at `activity`. `waits` has seen
    /// the samples before.
    pub(super) fn of(
        recording: &Recording,
        waits: &mut Queued,
        taken: &Taken,
        activity: Activity,
    ) -> Split {
        let sample = &taken.sample;
        let mut whole = recording.period().saturating_mul(u64::from(sample.weight.max(1)));
        // The first sample in a long while says nothing about the time before its region.
        let before = before_fork(recording, sample, whole).filter(|before| *before > WHILE);
        let before = before.unwrap_or(0);
        whole -= before;
        let blocked = taken.blocked.filter(|_| activity.is_work());
        let blocked = blocked.map(|(call, time)| (call, time.min(whole)));
        let blocked_time = blocked.map_or(0, |(_, time)| time);
        let time = whole - blocked_time;
        let waits_for_nobody = recording.has_no_team && activity.is_barrier();
        let is_own = activity.is_work() || activity == Activity::Overhead || waits_for_nobody;
        let without = match is_own {
            true => waits.worked(recording, taken, before + time),
            false => {
                waits.waited(taken, whole);
                Without::default()
            }
        };
        let queued_before = part(without.time, (before, before + time));
        let queued = (without.time - queued_before).min(time);
        Split {
            class: Class::of(activity),
            // The time of code is the time that it ran.
            time: time - queued,
            before: before - queued_before,
            queued: queued + queued_before,
            blocked,
            is_mostly_blocked: blocked_time > time,
            periods: without.periods,
        }
    }
}

/// Returns the part of a sample's time before the outermost region that its thread forked, ns.
fn before_fork(recording: &Recording, sample: &Sample, whole: u64) -> Option<u64> {
    let (fork, _) = recording.forks.get(&sample.region)?;
    let own = fork.thread == sample.thread && fork.parent == 0;
    let inside = sample.time.checked_sub(fork.time).filter(|_| own)?;
    Some(whole.saturating_sub(inside))
}
