//! Threads that sleep at their own gates, each for a reason, and the threads that wake them.
//!
//! | done by | steps, in this order |
//! |---|---|
//! | sleeper ([`Place::sleep`]) | adds itself to the count (SeqCst); writes the event that it sleeps for and the tasks that it would begin; shuts its gate (SeqCst); looks whether the event has come; sleeps |
//! | waker | makes an event true by a SeqCst operation, or with a SeqCst fence behind it; looks at the count ([`any`], SeqCst); looks at each gate (SeqCst), and if it is shut at the event that this thread sleeps for |
//!
//! **No wake-up is lost.** If the waker reads the count before the sleeper has added itself, the
//! waker's event precedes the sleeper's look, which is behind a fence. If it reads the count later,
//! it looks at the gate, and the gate's argument holds: the waker finds it shut, or the sleeper
//! sees the event. If it finds the gate shut, it reads the reason (acquire) that was written before
//! the gate was shut, or the reason of a later sleep; before that sleep the sleeper has looked
//! again.
//!
//! **An event that many wait for** wakes some sleepers. Each thread that had announced its sleep
//! wakes as many more when it leaves the wait, whether it slept or not ([`wake_up_to`] with a
//! bound). The waker counts only those whose gate it opened, and each of them leaves its wait by
//! that way.
//!
//! **A task** wakes one sleeper that would begin it ([`wake_one`]). That sleeper takes the task, or
//! finds that another thread has it, or continues without a look because the event that it waits
//! for has come. In the last case it calls [`wake_one`] for the queued tasks.

use crate::gate::Gate;
use crate::shim::{AtomicU32, AtomicU64, AtomicUsize, Ordering, load_seq_cst};
use core::time::Duration;

/// The reason at the place of a thread that does not sleep. No thread wakes sleepers for this
/// reason alone.
pub const AWAKE: u64 = 4;

/// The reason of a thread that any event wakes.
pub const ANYTHING: u64 = 0;

/// Whether a sleeping thread may begin a task, as another thread sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// The thread would leave the task.
    No,
    /// Only that thread can tell.
    Perhaps,
    /// The thread may begin it.
    Yes,
}

/// The place at which a thread sleeps, and its words about the sleep. The thread writes all of it;
/// other threads only open the gate.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The thread's gate.
    pub gate: &'a Gate,
    /// The event that the thread sleeps for.
    pub sleeps_for: &'a AtomicU64,
    /// The tasks that the thread would begin.
    pub would_begin: &'a AtomicUsize,
}

impl Place<'_> {
    /// Sleeps until another thread wakes it, for no longer than `time`, unless `enough` holds.
    /// `says`: the event that it sleeps for and the tasks that it would begin. Puts the earlier
    /// words back afterwards. May return early.
    pub fn sleep(
        self,
        sleepers: &AtomicU32,
        says: (u64, usize),
        time: Option<Duration>,
        enough: impl FnOnce() -> bool,
    ) {
        // The words are not always those of a thread that is awake: a signal handler may wait here
        // while the thread that it interrupts is about to sleep.
        let before =
            (self.sleeps_for.load(Ordering::Relaxed), self.would_begin.load(Ordering::Relaxed));
        sleepers.fetch_add(1, Ordering::SeqCst);
        self.sleeps_for.store(says.0, Ordering::Relaxed);
        self.would_begin.store(says.1, Ordering::Relaxed);
        match time {
            None => self.gate.sleep(self.gate.seen(), enough),
            Some(time) => self.gate.sleep_at_most(time, self.gate.seen(), enough),
        };
        // The thread may sleep next for something else. Then a waker must not take it for one of
        // those that wait here: a wake-up that goes from one to the next would end with it.
        self.sleeps_for.store(before.0, Ordering::Release);
        self.would_begin.store(before.1, Ordering::Release);
        sleepers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether any thread sleeps. The caller made something true by a SeqCst operation, or has a fence
/// behind it.
#[inline(always)]
pub fn any(sleepers: &AtomicU32) -> bool {
    load_seq_cst(sleepers) != 0
}

/// Wakes up to `most` of the threads that sleep for `reason` (none: for any reason), from number
/// `from` of `count` places on. On its way it also wakes each thread that sleeps for anything.
pub fn wake_up_to<'a>(
    (from, count): (u32, u32),
    place: impl Fn(u32) -> Place<'a>,
    reason: Option<u64>,
    mut most: u32,
) {
    for step in 0..count {
        if most == 0 {
            return;
        }
        let number = from + step;
        let place = place(if number >= count { number - count } else { number });
        if !place.gate.sleeps() {
            continue;
        }
        // The reason was written before the gate was shut. At worst it is an older reason of a
        // thread that has just begun to sleep, and that thread sees the new state by itself.
        let sleeps_for = place.sleeps_for.load(Ordering::Acquire);
        let meant = reason.is_none_or(|reason| sleeps_for == reason);
        if meant || sleeps_for == ANYTHING {
            let woken = place.gate.wake();
            most -= u32::from(woken && meant);
        }
    }
}

/// Wakes one sleeper that would begin the task that was just queued, if any. `allowed` judges by
/// the words that the sleeper published.
pub fn wake_one<'a>(
    places: impl Iterator<Item = Place<'a>>,
    mut allowed: impl FnMut(usize) -> Allowed,
) {
    for place in places {
        if !place.gate.sleeps() {
            continue;
        }
        // This word was written before the gate was shut.
        match allowed(place.would_begin.load(Ordering::Acquire)) {
            Allowed::No => {}
            Allowed::Perhaps => _ = place.gate.wake(),
            Allowed::Yes if place.gate.wake() => return,
            Allowed::Yes => {}
        }
    }
}

#[cfg(all(test, loom))]
mod model;
