//! Threads that sleep at gates of their own, each for a reason, and who wakes them.
//!
//! | who | steps, in this order |
//! |---|---|
//! | sleeper ([`Place::sleep`]) | adds itself to the count (SeqCst); writes what it sleeps for and would begin; shuts its gate (SeqCst); looks whether that has come true; sleeps |
//! | waker | makes something true by a SeqCst operation, or with a SeqCst fence behind it; looks at the count ([`any`], SeqCst); looks at each gate (SeqCst), and where it is shut at what that one sleeps for |
//!
//! **No wake-up is lost.** If the waker reads the count before the sleeper added itself, what the
//! waker made true precedes the sleeper's look, which is behind a fence. If it reads it later, it
//! looks at the gate, and the gate's argument holds: it finds it shut, or the sleeper sees what
//! came true. Found shut, it reads the reason (acquire) that was written before the gate was shut,
//! or one of a later sleep, behind whose gate the sleeper has looked again.
//!
//! **What many wait for** wakes some, and each who had announced its sleep wakes as many more when
//! it leaves the wait, whether it slept or not ([`wake_up_to`] with a bound). The waker counts only
//! those whose gate it opened; each of them leaves through that end of its wait.
//!
//! **A task** wakes one sleeper that would begin it ([`wake_one`]). That one takes the task, finds
//! that somebody has it, or goes on without a look because what it waits for has come true: then it
//! calls [`wake_one`] for what is queued.

use crate::gate::Gate;
use crate::shim::{AtomicU32, AtomicU64, AtomicUsize, Ordering, load_seq_cst};
use core::time::Duration;

/// Who sleeps for this is woken by whatever happens.
pub const ANYTHING: u64 = 0;

/// Whether a thread that sleeps may begin a task, as another thread sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// It would leave it.
    No,
    /// Only that thread can tell.
    Perhaps,
    /// It may.
    Yes,
}

/// Where a thread sleeps and what it says of that. All written by the thread, except that the gate
/// is opened by others.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Its gate.
    pub gate: &'a Gate,
    /// What it sleeps for.
    pub sleeps_for: &'a AtomicU64,
    /// What it would begin.
    pub would_begin: &'a AtomicUsize,
}

impl Place<'_> {
    /// Sleeps until somebody wakes the thread, for no longer than `time`, unless `enough` holds:
    /// `says` is what it sleeps for and would begin, `awake` what stands there otherwise. May
    /// return early.
    pub fn sleep(
        self,
        sleepers: &AtomicU32,
        says: (u64, usize),
        awake: (u64, usize),
        time: Option<Duration>,
        enough: impl FnOnce() -> bool,
    ) {
        sleepers.fetch_add(1, Ordering::SeqCst);
        self.sleeps_for.store(says.0, Ordering::Relaxed);
        self.would_begin.store(says.1, Ordering::Relaxed);
        match time {
            None => self.gate.sleep(self.gate.seen(), enough),
            Some(time) => self.gate.sleep_at_most(time, self.gate.seen(), enough),
        };
        // Where it sleeps for something else than this it must not be taken for one of those who
        // wait here: a wake-up that goes from one to the next would end with it.
        self.sleeps_for.store(awake.0, Ordering::Release);
        self.would_begin.store(awake.1, Ordering::Release);
        sleepers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether anybody sleeps. For who made something true by a SeqCst operation, or with a fence
/// behind it.
#[inline(always)]
pub fn any(sleepers: &AtomicU32) -> bool {
    load_seq_cst(sleepers) != 0
}

/// Wakes up to `most` of those who sleep for `reason` (none: for whatever), looking from number
/// `from` of `count` places on, and on the way whoever sleeps for anything.
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
        // Written before the gate was shut: at worst an older reason of a thread that just
        // began to sleep, which then sees by itself what was made true.
        let sleeps_for = place.sleeps_for.load(Ordering::Acquire);
        let meant = reason.is_none_or(|reason| sleeps_for == reason);
        if meant || sleeps_for == ANYTHING {
            let woken = place.gate.wake();
            most -= u32::from(woken && meant);
        }
    }
}

/// Wakes one sleeper that would begin what was just queued, if any: `allowed` says that of what it
/// shows.
pub fn wake_one<'a>(
    places: impl Iterator<Item = Place<'a>>,
    mut allowed: impl FnMut(usize) -> Allowed,
) {
    for place in places {
        if !place.gate.sleeps() {
            continue;
        }
        // Written before the gate was shut.
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
