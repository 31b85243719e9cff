//! Waiting inside a team: run tasks, spin while it pays, sleep at the own gate; and waking.
//!
//! A sleeper says what it sleeps for (its [`Reason`]), so that who makes something true wakes those
//! who wait for just that: in a crowded team a needless wake-up costs two context switches.

use super::record::Team;
use crate::thread::Thread;
use crate::{icv, tasks};
use core::sync::atomic::{Ordering, fence};
use core::time::Duration;
use omphalos_sync::spin::Spin;

/// What a thread sleeps for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason(u64);

impl Reason {
    /// Whatever happens in the team.
    pub const ANYTHING: Reason = Reason(0);
    /// Arrivals at a barrier, and the end of its tasks.
    pub const BARRIER: Reason = Reason(1);
    /// The primary: that all have joined, or left.
    pub const MEMBERS: Reason = Reason(2);
    /// That the region is over.
    pub const OVER: Reason = Reason(3);
    /// A worker: the next order (which wakes it by itself).
    pub const ORDER: Reason = Reason(4);
    /// A free entry of the worksharing ring.
    pub const ENTRY: Reason = Reason(5);

    /// The turn of the chunk that begins with iteration `first` of an ordered loop.
    pub const fn turn(first: u64) -> Reason {
        Reason(first << 8 | 6)
    }
}

/// Waits until `ready` holds, executing tasks of the team meanwhile.
///
/// `ready` must be made true by a SeqCst operation (or a release one followed by a SeqCst fence),
/// followed by [`wake_sleepers`].
#[inline]
pub fn wait_in_team(thread: &Thread, team: &Team, ready: impl FnMut() -> bool) {
    wait_for(thread, team, Reason::ANYTHING, None, ready);
}

/// As [`wait_in_team`]; what makes `ready` true is followed by [`wake`] with the same reason.
/// With `look_again`, no single sleep is longer.
#[inline]
pub fn wait_for(
    thread: &Thread,
    team: &Team,
    reason: Reason,
    look_again: Option<Duration>,
    mut ready: impl FnMut() -> bool,
) {
    if ready() {
        return;
    }
    let mut spin = Spin::new(team.spin.get());
    loop {
        if ready() {
            return;
        }
        if team.has_tasks(thread) && tasks::run_one(thread, team) {
            spin = Spin::new(team.spin.get());
            continue;
        }
        if !spin.again_politely() {
            icv::settings().waited_in_vain();
            team.sleepers.fetch_add(1, Ordering::SeqCst);
            let line = &thread.line;
            line.sleeps_for.store(reason.0, Ordering::Relaxed);
            let enough = || ready() || team.has_tasks(thread) && tasks::may_run(thread, team);
            match look_again {
                None => line.gate.sleep(line.gate.seen(), enough),
                Some(time) => line.gate.sleep_at_most(time, line.gate.seen(), enough),
            };
            team.sleepers.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Wakes every sleeper of the team. What they wait for was made true before.
#[inline(always)]
pub fn wake_sleepers(team: &Team) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        wake_up_to(team, None, u32::MAX);
    }
}

/// Wakes who sleeps for `reason` (or for anything).
#[inline(always)]
pub fn wake(team: &Team, reason: Reason) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        wake_up_to(team, Some(reason), u32::MAX);
    }
}

/// Wakes one sleeper of the team, if any: there is a new task.
#[inline(always)]
pub fn wake_some(team: &Team) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        wake_up_to(team, None, 1);
    }
}

#[cold]
fn wake_up_to(team: &Team, reason: Option<Reason>, mut most: u32) {
    for slot in team.members() {
        if most == 0 {
            return;
        }
        let line = &slot.thread().line;
        if !line.gate.sleeps() {
            continue;
        }
        // Written before the gate said "sleeps": at worst an older reason of a thread that just
        // began to sleep, which then sees by itself what was made true.
        let sleeps_for = Reason(line.sleeps_for.load(Ordering::Relaxed));
        let meant = reason.is_none_or(|r| sleeps_for == r || sleeps_for == Reason::ANYTHING);
        if meant && line.gate.wake() {
            most -= 1;
        }
    }
}

/// Wakes the primary thread if it sleeps and `complete` holds: the last of the members does it.
#[inline(always)]
pub(super) fn wake_primary(team: &Team, complete: impl FnOnce() -> bool) {
    fence(Ordering::SeqCst);
    let gate = &team.slot(0).thread().line.gate;
    if gate.sleeps() && complete() {
        gate.wake();
    }
}

impl Team {
    /// Whether the region that `thread` is in had deferred tasks so far.
    #[inline(always)]
    pub fn has_tasks(&self, thread: &Thread) -> bool {
        self.tasks_region.load(Ordering::Acquire) == thread.slot().region.get()
    }
}
