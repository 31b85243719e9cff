//! The time of a thread's work in which it had no processor. It does not count as Work, which is
//! time that ran.
//!
//! A look asks for the thread's own clock. There is one at each event that comes [`EVERY`] or more
//! after the last look, and one at the end of each untimed stretch. Between two looks the thread
//! ran, was blocked in a call, waited in the runtime, or waited for a processor. A look books the
//! wait for a processor, and tells how long the thread slept in no call that is known. It does so
//! only for work, and only for the time since the last event. The time from the look before to that
//! event counts as time that ran; it is shorter than [`EVERY`], or the event would have looked.
//!
//! What must hold: the thread looks at its own times. It has the [`Owner`]: it is in a callback, or
//! in its handler while no callback is at work.

use super::{Owner, Thread};
use crate::accounting::pace::portion;
use crate::accounting::{Class, QUEUED, QUEUED_SERIAL};
use crate::clock::{in_ticks, in_ticks_fast, used_here};
use crate::sampler::SHORTEST_UNSEEN;
use crate::sched;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The time between two looks, ns. Each takes about 0.5 us.
const EVERY: u64 = 200_000;
/// The shortest time, ns, that counts as a wait for a processor: nearly as much of a call that
/// blocks is neither in its blocked time nor in the thread's processor time.
const SHORTEST: u64 = 20_000;

/// A thread's last look at its processor time.
#[derive(Default)]
pub struct Look {
    /// When the next look is due, or a sample of a wait: ticks.
    pub next: AtomicU64,
    at: AtomicU64,
    /// The thread's processor time at the last look, ns.
    ran: AtomicU64,
    /// How long the thread had waited for a processor when the system was last asked, ns.
    queued: AtomicU64,
    /// How long the thread had been blocked in calls at the last look, ticks.
    blocked: AtomicU64,
    /// The number of times that the thread had left its processor by itself, at the last look.
    left: AtomicU64,
}

impl Look {
    /// Begins the calling thread's record at `now`.
    pub fn begin(&self, now: u64, queued: u64) {
        self.next.store(now, Relaxed);
        self.at.store(now, Relaxed);
        self.ran.store(used_here(), Relaxed);
        self.queued.store(queued, Relaxed);
        self.blocked.store(0, Relaxed);
        self.left.store(0, Relaxed);
    }

    /// Whether `now` is the time of a look.
    pub fn is_due(&self, now: u64) -> bool {
        now.saturating_sub(self.at.load(Relaxed)) >= in_ticks_fast(EVERY)
    }

    /// Sets the time of the next event that matters: `point`, or the next look.
    pub fn set_next(&self, point: u64) {
        let look = self.at.load(Relaxed) + in_ticks_fast(EVERY);
        self.next.store(point.min(look), Relaxed);
    }
}

/// The result of a look at the time since the last event, ticks.
#[derive(Clone, Copy, Default)]
pub struct Looked {
    /// Time at work without a processor. It is booked already.
    pub queued: u64,
    /// The time asleep at work in no known call. The caller books it.
    pub asleep: u64,
}

/// Notes how long a thread at work has waited for a processor since its last look, for totals that
/// any thread writes at `now`: the thread's next event may be far away. [`settled`] ends that.
pub fn settle(thread: &Thread, now: u64) {
    let (look, account) = (&thread.look, &thread.account);
    let since = look.at.load(Relaxed).max(account.since());
    let waited = sched::of_thread(thread.os_tid.load(Relaxed)).map_or(0, |times| times[1]);
    let waited = in_ticks(waited.saturating_sub(look.queued.load(Relaxed)));
    let is_at_work = account.is_at_work() && !account.is_untimed() && !account.summed().waits();
    let pending = if is_at_work { waited.min(now.saturating_sub(since)) } else { 0 };
    account.pending.store(pending, Relaxed);
}

/// Ends [`settle`], when the totals are written.
pub fn settled(thread: &Thread) {
    thread.account.pending.store(0, Relaxed);
}

/// Looks at `now`. Async-signal-safe.
pub fn look(owner: &mut Owner, now: u64) -> Looked {
    let thread = owner.thread();
    let (look, account) = (&thread.look, owner.books());
    let (at, ran) = (look.at.swap(now, Relaxed), used_here());
    let ran = ran.saturating_sub(look.ran.swap(ran, Relaxed));
    let blocked: u64 = thread.blocked_at(now).iter().sum();
    let blocked_before = look.blocked.swap(blocked, Relaxed);
    let left = sched::switches_of(omphalos_sys::thread::id()).map_or(0, |[left, _]| left);
    let stayed = left != 0 && left == look.left.swap(left, Relaxed);
    let passed = now.saturating_sub(at);
    let is_untimed = account.is_untimed();
    let until = if is_untimed { account.untimed_until(now) } else { now };
    let here = until.saturating_sub(at.max(account.since())).min(passed);
    let before = passed - here;
    let awake = in_ticks(ran) + blocked.saturating_sub(blocked_before) + before;
    let off = passed.saturating_sub(awake).min(here);
    if off < in_ticks_fast(SHORTEST) || !(account.is_at_work() || is_untimed) {
        return Looked::default();
    }
    let waited = thread.with_sampler(|sampler| sampler.waited_for_processor());
    // The watcher may have the sampler, and may have lost its processor.
    let by_number = || Some(sched::of_thread(thread.os_tid.load(Relaxed))?[1]);
    let Some(waited) = waited.unwrap_or_else(by_number) else { return Looked::default() };
    let waited = waited.saturating_sub(look.queued.swap(waited, Relaxed));
    // A thread that did not leave its processor by itself lost it, perhaps to another machine or to
    // a limit of its control group: the system does not count these as waits.
    let mut queued = if stayed { off } else { off.min(in_ticks(waited)) };
    if is_untimed {
        // At most the time that ran counts as work.
        let share = account.untimed_shares(&thread.tasks)[0];
        let more = portion(here, share, 1 << 32).saturating_sub(in_ticks(ran));
        queued = portion(queued, share, 1 << 32).max(more);
        let is_serial = owner.stack().active() == Class::Serial;
        account.count(if is_serial { QUEUED_SERIAL } else { QUEUED }, queued);
        return Looked { queued, asleep: 0 };
    }
    let is_serial = account.class() == Class::Serial;
    account.count(if is_serial { QUEUED_SERIAL } else { QUEUED }, queued);
    // Estimates are made from the time that follows an event. The wait for a processor is no part
    // of that time; the rest is.
    account.settle_certain(account.since() + queued);
    let asleep = off - queued;
    if asleep < in_ticks_fast(SHORTEST_UNSEEN) {
        return Looked { queued, asleep: 0 };
    }
    look.blocked.store(blocked + asleep, Relaxed);
    Looked { queued, asleep }
}
