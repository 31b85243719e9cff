//! Waiting inside a team: run tasks, spin while it pays, sleep at the own gate; and waking.

use super::record::Team;
use crate::tasks;
use crate::thread::Thread;
use core::sync::atomic::{Ordering, fence};
use core::time::Duration;
use omphalos_sync::spin::Spin;

/// Waits until `ready` holds, executing tasks of the team meanwhile.
///
/// `ready` must be made true by a SeqCst operation (or a release one followed by a SeqCst fence),
/// followed by [`wake_sleepers`].
#[inline]
pub fn wait_in_team(thread: &Thread, team: &Team, mut ready: impl FnMut() -> bool) {
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
        if !spin.again() {
            team.sleepers.fetch_add(1, Ordering::SeqCst);
            let gate = &thread.line.gate;
            gate.sleep(gate.seen(), || {
                ready() || team.has_tasks(thread) && tasks::may_run(thread, team)
            });
            team.sleepers.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// As [`wait_in_team`], for something that is made true without waking anybody: rare waits, which
/// look again every millisecond once the spin budget is used up.
#[cold]
pub fn wait_unwoken(thread: &Thread, team: &Team, mut ready: impl FnMut() -> bool) {
    let mut spin = Spin::new(team.spin.get());
    while !ready() {
        if team.has_tasks(thread) && tasks::run_one(thread, team) {
            continue;
        }
        if !spin.again() {
            let gate = &thread.line.gate;
            gate.sleep_at_most(Duration::from_millis(1), gate.seen(), &mut ready);
        }
    }
}

/// Wakes every sleeper of the team. What they wait for was made true before.
#[inline(always)]
pub fn wake_sleepers(team: &Team) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        wake_up_to(team, u32::MAX);
    }
}

/// Wakes one sleeper of the team, if any: there is a new task.
#[inline(always)]
pub fn wake_some(team: &Team) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        wake_up_to(team, 1);
    }
}

#[cold]
fn wake_up_to(team: &Team, mut most: u32) {
    for slot in team.members() {
        if most != 0 && slot.thread().line.gate.wake() {
            most -= 1;
        }
    }
}

impl Team {
    /// Whether the region that `thread` is in had deferred tasks so far.
    #[inline(always)]
    pub fn has_tasks(&self, thread: &Thread) -> bool {
        self.tasks_region.load(Ordering::Acquire) == thread.slot().region.get()
    }
}
