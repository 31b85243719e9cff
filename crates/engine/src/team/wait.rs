//! Waiting inside a team: run tasks, spin while it pays, sleep at the own gate; and waking.
//!
//! What many wait for wakes two of them, and each of these two more, before it goes on: as deep as
//! the logarithm of their number. Who has announced its sleep passes the wake-up on when it leaves,
//! even if it never slept: the waker may have counted on it.
//!
//! A sleeper says what it sleeps for (its [`Reason`]), so that who makes something true wakes those
//! who wait for just that: in a crowded team a needless wake-up costs two context switches.

use super::record::Team;
use crate::thread::Thread;
use crate::{cancel, icv, tasks};
use core::sync::atomic::{Ordering, fence};
use core::time::Duration;

/// What a thread sleeps for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason(u64);

impl Reason {
    /// Whatever happens in the team.
    pub const ANYTHING: Reason = Reason(0);
    /// The primary: that all have joined, or left.
    pub const MEMBERS: Reason = Reason(2);
    /// A worker: the next order (which wakes it by itself).
    pub const ORDER: Reason = Reason(4);

    /// That all have arrived at the team's barrier of this epoch.
    pub fn barrier(team: &Team, epoch: u64) -> Reason {
        Reason(epoch << 28 | Reason::of(team) | 7)
    }

    /// The end of the tasks of a barrier of the team.
    pub fn tasks(team: &Team) -> Reason {
        Reason(Reason::of(team) | 1)
    }

    /// That the team's region is over.
    pub fn over(team: &Team) -> Reason {
        Reason(Reason::of(team) | 3)
    }

    /// A member may sleep in another team's wait, of which it is a member too: a wake-up that goes
    /// from member to member must not be lost there.
    fn of(team: &Team) -> u64 {
        u64::from(team.id & 0xf_ffff) << 8
    }

    /// Whether who is woken wakes others: all that wait for it go on at once.
    const fn is_for_many(self) -> bool {
        matches!(self.0 & 0xff, 1 | 3 | 5 | 7)
    }

    /// That a loop of the team has no chunks left.
    pub fn chunks(team: &Team) -> Reason {
        Reason(Reason::of(team) | 5)
    }

    /// Whether the implicit task waits for other members: a barrier, the end of a region.
    const fn is_meeting(self) -> bool {
        matches!(self.0 & 0xff, 1 | 2 | 3 | 4 | 7)
    }

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
    tasks::invite_others(thread, team);
    let mut announced = false;
    let mut spin = icv::settings().wait(team.busy.get(), &thread.sharing);
    loop {
        if ready() {
            if announced && reason.is_for_many() {
                pass_on(team, reason, thread.num.get());
            }
            return;
        }
        if team.has_tasks(thread) {
            if tasks::run_one(thread, team) {
                if cancel::is_cancelled(team) {
                    // Others may wait for the end of the tasks in a barrier that this thread left out.
                    wake_sleepers(team);
                }
                spin = icv::settings().wait(team.busy.get(), &thread.sharing);
                continue;
            }
            if reason.is_meeting() && tasks::rest(thread, team) {
                continue;
            }
        }
        if !spin.again_politely() {
            icv::settings().waited_in_vain();
            announced = true;
            sleep_once(thread, team, reason, look_again, &mut ready);
        }
    }
}

/// Announces that the thread sleeps for `reason`, and sleeps until somebody wakes it, unless `ready`
/// holds or there are tasks for it; with `look_again`, no longer than that.
fn sleep_once(
    thread: &Thread,
    team: &Team,
    reason: Reason,
    look_again: Option<Duration>,
    mut ready: impl FnMut() -> bool,
) {
    team.sleepers.fetch_add(1, Ordering::SeqCst);
    let line = &thread.line;
    line.sleeps_for.store(reason.0, Ordering::Relaxed);
    let enough = || ready() || team.has_tasks(thread) && tasks::may_run(thread, team);
    match look_again {
        None => line.gate.sleep(line.gate.seen(), enough),
        Some(time) => line.gate.sleep_at_most(time, line.gate.seen(), enough),
    };
    // At its gate for an order it must not be taken for one of those who wait here: a wake-up that
    // goes from member to member would end with it.
    line.sleeps_for.store(Reason::ORDER.0, Ordering::Release);
    team.sleepers.fetch_sub(1, Ordering::Relaxed);
}

/// Waits for `ready` without spinning, for `time` or not much longer, executing tasks of the team
/// meanwhile: for a thread that is not missed. What makes `ready` true is as in [`wait_for`].
pub fn rest(
    thread: &Thread,
    team: &Team,
    reason: Reason,
    time: Duration,
    mut ready: impl FnMut() -> bool,
) {
    let end = omphalos_sys::clock::nanoseconds() + time.as_nanos() as u64;
    let mut announced = false;
    while !ready() {
        if team.has_tasks(thread) && tasks::run_one(thread, team) {
            continue;
        }
        let left = end.saturating_sub(omphalos_sys::clock::nanoseconds());
        if left == 0 {
            // Nobody counts on it: who wakes others has made `ready` true before.
            return;
        }
        announced = true;
        sleep_once(thread, team, reason, Some(Duration::from_nanos(left)), &mut ready);
    }
    if announced && reason.is_for_many() {
        pass_on(team, reason, thread.num.get());
    }
}

/// Wakes every sleeper of the team. What they wait for was made true before.
#[inline(always)]
pub fn wake_sleepers(team: &Team) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        wake_up_to(team, None, u32::MAX, 0);
    }
}

/// Wakes who sleeps for `reason` (or for anything).
#[inline(always)]
pub fn wake(team: &Team, reason: Reason) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        let most = if reason.is_for_many() { AT_ONCE } else { u32::MAX };
        wake_up_to(team, Some(reason), most, 0);
    }
}

/// As [`wake`], where what was made true was made so by a SeqCst operation.
#[inline(always)]
pub fn wake_after(team: &Team, reason: Reason) {
    if team.sleepers.load(Ordering::SeqCst) != 0 {
        wake_up_to(team, Some(reason), u32::MAX, 0);
    }
}

/// Wakes one sleeper of the team, if any: there is a new task.
#[inline(always)]
pub fn wake_some(team: &Team) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        wake_up_to(team, None, 1, 0);
    }
}

/// Wakes member `num` if it sleeps. What it waits for was made true by a SeqCst store.
#[inline(always)]
pub fn wake_member(team: &Team, num: u32) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        team.slot(num).thread().line.gate.wake();
    }
}

/// Sleepers that one thread wakes when something for many comes true.
const AT_ONCE: u32 = 2;

/// A member that was woken (or about to sleep) wakes others.
#[cold]
fn pass_on(team: &Team, reason: Reason, num: u32) {
    fence(Ordering::SeqCst);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        wake_up_to(team, Some(reason), AT_ONCE, num);
    }
}

/// Wakes up to `most` of those who sleep for `reason`, looking from member `from` on, and on the way
/// whoever sleeps for anything.
#[cold]
fn wake_up_to(team: &Team, reason: Option<Reason>, mut most: u32, from: u32) {
    let size = team.size.get();
    for step in 0..size {
        if most == 0 {
            return;
        }
        let num = from + step;
        let line = &team.slot(if num >= size { num - size } else { num }).thread().line;
        if !line.gate.sleeps() {
            continue;
        }
        // Written before the gate said "sleeps": at worst an older reason of a thread that just
        // began to sleep, which then sees by itself what was made true.
        let sleeps_for = Reason(line.sleeps_for.load(Ordering::Acquire));
        let meant = reason.is_none_or(|r| sleeps_for == r);
        if meant || sleeps_for == Reason::ANYTHING {
            let woken = line.gate.wake();
            most -= u32::from(woken && meant);
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
