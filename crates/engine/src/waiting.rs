//! Waiting inside a team: spin while it pays, sleep at the own gate; and waking.
//!
//! | wait | runs tasks meanwhile | for |
//! |---|---|---|
//! | `tasks::wait_running_tasks` | those that its constraint allows | task scheduling points: barriers, the end of a region, taskwait and the like |
//! | [`wait_plainly`], [`wait_asleep`] | none | everything else: `ordered`, a sink, room, the partner of a reduction |
//!
//! A thread that ran a task in a plain wait might begin one that wants the lock which the thread
//! holds.
//!
//! What many wait for wakes two of them, and each of these two more, before it goes on: as deep as
//! the logarithm of their number. Who has announced its sleep passes the wake-up on when it leaves,
//! even if it never slept: the waker may have counted on it.
//!
//! A sleeper says what it sleeps for (its [`Reason`]), so that who makes something true wakes those
//! who wait for just that: in a crowded team a needless wake-up costs two context switches.
//!
//! It also says what it would begin, so that the one wake-up for a new task goes to who may begin
//! it (`tasks/scheduling_point.rs`).
//!
//! Why no wake-up is lost is argued and modelled in `omphalos_sync::sleepers`.

use crate::records::{NOTHING, Team, Thread};
use core::sync::atomic::{Ordering, fence};
use core::time::Duration;
use omphalos_settings::settings;
use omphalos_sync::sleepers;

/// What a thread sleeps for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason(u64);

impl Reason {
    /// Whatever happens in the team.
    pub const ANYTHING: Reason = Reason(sleepers::ANYTHING);
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
    pub(crate) const fn is_for_many(self) -> bool {
        matches!(self.0 & 0xff, 1 | 3 | 5 | 7)
    }

    /// That a loop of the team has no chunks left.
    pub fn chunks(team: &Team) -> Reason {
        Reason(Reason::of(team) | 5)
    }

    /// Whether the implicit task waits for other members: a barrier, the end of a region.
    pub(crate) const fn is_meeting(self) -> bool {
        matches!(self.0 & 0xff, 1 | 2 | 3 | 4 | 7)
    }

    /// The turn of the chunk that begins with iteration `first` of an ordered loop.
    pub const fn turn(first: u64) -> Reason {
        Reason(first << 8 | 6)
    }

    /// That iteration `number` of a doacross nest is posted.
    pub const fn sink(number: u64) -> Reason {
        Reason(number << 8 | 8)
    }
}

/// Waits until `ready` holds; begins nothing meanwhile. With `look_again`, no single sleep is
/// longer.
///
/// `ready` must be made true by a SeqCst operation (or a release one followed by a SeqCst fence),
/// followed by [`wake_sleepers`], or by [`wake`] with the same reason.
#[inline]
pub fn wait_plainly(
    thread: &Thread,
    team: &Team,
    reason: Reason,
    look_again: Option<Duration>,
    mut ready: impl FnMut() -> bool,
) {
    if ready() {
        return;
    }
    let mut announced = false;
    let mut spin = settings().wait(team.busy.get(), &thread.sharing);
    while !ready() {
        if !spin.again_politely() {
            settings().waited_in_vain();
            announced = true;
            sleep_once(thread, team, (reason, NOTHING), look_again, &mut ready);
        }
    }
    if announced && reason.is_for_many() {
        pass_on(team, reason, thread.num.get());
    }
}

/// Announces that the thread sleeps for a reason and what it would begin, and sleeps until somebody
/// wakes it, unless `enough` holds; with `look_again`, no longer than that.
pub(crate) fn sleep_once(
    thread: &Thread,
    team: &Team,
    (reason, would_begin): (Reason, usize),
    look_again: Option<Duration>,
    enough: impl FnOnce() -> bool,
) {
    let says = (reason.0, would_begin);
    let awake = (Reason::ORDER.0, NOTHING);
    thread.line.place().sleep(&team.sleepers, says, awake, look_again, enough);
}

/// As [`wait_plainly`], without spinning, and for `time` or not much longer. Nobody may wait for
/// the thread meanwhile.
pub fn wait_asleep(
    thread: &Thread,
    team: &Team,
    reason: Reason,
    time: Duration,
    mut ready: impl FnMut() -> bool,
) {
    let end = omphalos_sys::clock::nanoseconds() + time.as_nanos() as u64;
    let mut announced = false;
    while !ready() {
        let left = end.saturating_sub(omphalos_sys::clock::nanoseconds());
        if left == 0 {
            // Nobody counts on it: who wakes others has made `ready` true before.
            return;
        }
        announced = true;
        let left = Some(Duration::from_nanos(left));
        sleep_once(thread, team, (reason, NOTHING), left, &mut ready);
    }
    if announced && reason.is_for_many() {
        pass_on(team, reason, thread.num.get());
    }
}

/// Wakes every sleeper of the team. What they wait for was made true before.
#[inline(always)]
pub fn wake_sleepers(team: &Team) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        wake_up_to(team, None, u32::MAX, 0);
    }
}

/// Wakes who sleeps for `reason` (or for anything).
#[inline(always)]
pub fn wake(team: &Team, reason: Reason) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        let most = if reason.is_for_many() { SLEEPERS_WOKEN_AT_ONCE } else { u32::MAX };
        wake_up_to(team, Some(reason), most, 0);
    }
}

/// As [`wake`], where what was made true was made so by a SeqCst operation.
#[inline(always)]
pub fn wake_after(team: &Team, reason: Reason) {
    if sleepers::any(&team.sleepers) {
        wake_up_to(team, Some(reason), u32::MAX, 0);
    }
}

/// Wakes member `num` if it sleeps. What it waits for was made true by a SeqCst store.
#[inline(always)]
pub fn wake_member(team: &Team, num: u32) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        team.slot(num).thread().line.gate.wake();
    }
}

/// Sleepers that one thread wakes when something for many comes true.
const SLEEPERS_WOKEN_AT_ONCE: u32 = 2;

/// A member that was woken (or about to sleep) wakes others.
#[cold]
pub(crate) fn pass_on(team: &Team, reason: Reason, num: u32) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        wake_up_to(team, Some(reason), SLEEPERS_WOKEN_AT_ONCE, num);
    }
}

/// Wakes up to `most` of those who sleep for `reason`, looking from member `from` on, and on the
/// way whoever sleeps for anything.
#[cold]
fn wake_up_to(team: &Team, reason: Option<Reason>, most: u32, from: u32) {
    let place = |num| team.slot(num).thread().line.place();
    sleepers::wake_up_to((from, team.size.get()), place, reason.map(|reason| reason.0), most);
}

/// Wakes the primary thread if it sleeps and `complete` holds: the last of the members does it.
#[inline(always)]
pub(crate) fn wake_primary(team: &Team, complete: impl FnOnce() -> bool) {
    fence(Ordering::SeqCst);
    let gate = &team.slot(0).thread().line.gate;
    if gate.sleeps() && complete() {
        gate.wake();
    }
}
