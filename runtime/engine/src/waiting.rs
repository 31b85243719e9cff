//! Makes members of a team wait, and wakes them: a thread spins while that pays, then sleeps at its
//! own gate.
//!
//! | wait | runs tasks meanwhile | for |
//! |---|---|---|
//! | `tasks::wait_running_tasks` | those that its constraint allows | task scheduling points: barriers, the end of a region, taskwait and the like |
//! | [`wait_plainly`], [`wait_asleep`] | none | everything else: `ordered`, a sink, room, the partner of a reduction |
//!
//! A plain wait runs no task: the thread may hold a lock that the task wants.
//!
//! If many threads sleep for one thing, the thread that makes it true wakes two of them. Each woken
//! thread wakes two more before it goes on. So the last one is woken after a number of steps that
//! grows with the logarithm of their number. A thread that has announced its sleep passes the
//! wake-up on when it leaves, even if it never slept: the waker may have counted on it.
//!
//! A sleeper publishes the event that it sleeps for (its [`Reason`]), so that a waker wakes only
//! the threads that wait for just that. In a crowded team a needless wake-up costs two context
//! switches. A sleeper also publishes the tasks that it would begin, so that the one wake-up for a
//! new task goes to a thread that may begin it (`tasks/wake.rs`).
//!
//! `omphalos_sync::sleepers` argues and models why no wake-up is lost.

use crate::records::{NOTHING, Team, Thread};
use core::sync::atomic::{Ordering, fence};
use core::time::Duration;
use omphalos_settings::settings;
use omphalos_sync::sleepers;

/// The event that a thread sleeps for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason(u64);

impl Reason {
    /// The thread sleeps until anything happens in the team.
    pub const ANYTHING: Reason = Reason(sleepers::ANYTHING);
    /// The primary waits until all members have joined, or left.
    pub const MEMBERS: Reason = Reason(2);
    /// A worker waits for its next order, which also wakes it by itself.
    pub const ORDER: Reason = Reason(sleepers::AWAKE);

    /// Returns the reason of a wait until all members have arrived at the team's barrier of this
    /// epoch.
    pub fn barrier(team: &Team, epoch: u64) -> Reason {
        Reason(epoch << 28 | Reason::of(team) | 7)
    }

    /// Returns the reason of a wait, in a barrier of the team, until all tasks are done.
    pub fn tasks(team: &Team) -> Reason {
        Reason(Reason::of(team) | 1)
    }

    /// Returns the reason of a wait until the team's region is over.
    pub fn over(team: &Team) -> Reason {
        Reason(Reason::of(team) | 3)
    }

    /// Returns the team's part of a reason. A member may sleep in a wait of another team of which
    /// it is a member too. A wake-up that goes from member to member must not be lost there.
    fn of(team: &Team) -> u64 {
        u64::from(team.id & 0xf_ffff) << 8
    }

    /// Whether a woken thread wakes others: all threads that wait for this go on at once.
    pub(crate) const fn is_for_many(self) -> bool {
        matches!(self.0 & 0xff, 1 | 3 | 5 | 7)
    }

    /// Returns the reason of a wait until a loop of the team has no chunks left.
    pub fn chunks(team: &Team) -> Reason {
        Reason(Reason::of(team) | 5)
    }

    /// Whether this is the wait of an implicit task for other members: a barrier, the end of a
    /// region.
    pub(crate) const fn is_meeting(self) -> bool {
        matches!(self.0 & 0xff, 1 | 2 | 3 | 4 | 7)
    }

    /// Returns the reason of a wait for the turn of the chunk that begins with iteration `first` of
    /// an ordered loop.
    pub const fn turn(first: u64) -> Reason {
        Reason(first << 8 | 6)
    }

    /// Returns the reason of a wait until iteration `number` of a doacross nest is posted.
    pub const fn sink(number: u64) -> Reason {
        Reason(number << 8 | 8)
    }
}

/// The number of looks at a word that another member is about to write, before the wait proper
/// begins.
const LOOKS_BEFORE_WAIT: u32 = 100;

/// Returns the number of such looks for `team`. In a crowded team it is 0: the awaited member most
/// often waits for this processor, and a hundred looks take twice as long as giving it away.
#[inline(always)]
pub fn looks_before_wait(team: &Team) -> u32 {
    if team.crowded.get() { 0 } else { LOOKS_BEFORE_WAIT }
}

/// Waits until `ready` holds, and begins no task meanwhile. `look_again`: the longest single sleep.
/// The operation that makes `ready` true is SeqCst (or a release operation with a SeqCst fence
/// after it). [`wake_sleepers`], or [`wake`] with the same reason, must follow it.
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

/// Announces that the thread sleeps for a reason, and the tasks that it would begin. Then sleeps
/// until another thread wakes it, unless `enough` holds. `look_again`: the longest sleep.
pub(crate) fn sleep_once(
    thread: &Thread,
    team: &Team,
    (reason, would_begin): (Reason, usize),
    look_again: Option<Duration>,
    enough: impl FnOnce() -> bool,
) {
    let says = (reason.0, would_begin);
    thread.line.place().sleep(&team.sleepers, says, look_again, enough);
}

/// Does what [`wait_plainly`] does, without spinning, and for `time` or not much longer. No other
/// thread may wait for this one meanwhile.
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
            // No waker counts on this thread to wake others: it would have made `ready` true first.
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

/// Wakes every sleeper of the team. The caller has made true the thing that they wait for.
#[inline(always)]
pub fn wake_sleepers(team: &Team) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        wake_up_to(team, None, u32::MAX, 0);
    }
}

/// Wakes every thread that sleeps for `reason` or for anything.
#[inline(always)]
pub fn wake(team: &Team, reason: Reason) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        let most = if reason.is_for_many() { SLEEPERS_WOKEN_AT_ONCE } else { u32::MAX };
        wake_up_to(team, Some(reason), most, 0);
    }
}

/// Does what [`wake`] does, where a SeqCst operation made the reason true.
#[inline(always)]
pub fn wake_after(team: &Team, reason: Reason) {
    if sleepers::any(&team.sleepers) {
        wake_up_to(team, Some(reason), u32::MAX, 0);
    }
}

/// Wakes member `num` if it sleeps. A SeqCst store has made true the thing that it waits for.
#[inline(always)]
pub fn wake_member(team: &Team, num: u32) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        team.slot(num).thread().line.gate.wake();
    }
}

/// The number of sleepers that one thread wakes if many wait for the same thing.
const SLEEPERS_WOKEN_AT_ONCE: u32 = 2;

/// Wakes others from member `num` on, which was woken itself, or was about to sleep.
#[cold]
pub(crate) fn pass_on(team: &Team, reason: Reason, num: u32) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        wake_up_to(team, Some(reason), SLEEPERS_WOKEN_AT_ONCE, num);
    }
}

/// Wakes up to `most` of the threads that sleep for `reason`, from member `from` on. On its way it
/// also wakes each thread that sleeps for anything.
#[cold]
fn wake_up_to(team: &Team, reason: Option<Reason>, most: u32, from: u32) {
    let place = |num| team.slot(num).thread().line.place();
    sleepers::wake_up_to((from, team.size.get()), place, reason.map(|reason| reason.0), most);
}

/// Wakes the primary thread if it sleeps and `complete` holds. The last member calls this.
#[inline(always)]
pub(crate) fn wake_primary(team: &Team, complete: impl FnOnce() -> bool) {
    fence(Ordering::SeqCst);
    let gate = &team.slot(0).thread().line.gate;
    if gate.sleeps() && complete() {
        gate.wake();
    }
}
