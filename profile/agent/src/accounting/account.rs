//! A thread's account, as all may read it.
//!
//! What must hold: the classes never overlap, and their sum is the time from the thread's begin to
//! now. Events come on the thread itself, so every field has one writer at a time, which has the
//! [`Books`](super::Books). Other threads only read, and read again where a booking was under way.
//!
//! The runtime may report a region's end to a worker late (LLVM's runtime reports it at the next
//! fork). So the primary writes the moment to [`Account::over`]: there the worker's wait in the
//! barrier ends, and its idling begins.

use super::counts::Counts;
use super::pace::Pace;
use super::summed::Summed;
use super::{CLASSES, COUNTERS, CREATED, Class, Counters, QUEUED, QUEUED_SERIAL};
use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed},
    fence,
};

/// At least 1/`LEAST` of the time between two events is the program's, however much of it the
/// callbacks seem to take: else nothing would be left to split other time by.
const LEAST: u64 = 8;

/// Whether the program's own code is executed in the class of this number.
#[inline(always)]
pub(super) fn is_work(class: u32) -> bool {
    const { assert!(Class::Work as u32 == 0 && Class::Serial as u32 == 1) };
    class <= Class::Serial as u32
}

/// The state machine of one thread.
#[derive(Default)]
pub struct Account {
    /// Odd while a time is being booked.
    pub(super) booking: AtomicU32,
    pub(super) class: AtomicU32,
    /// When the class began, or the time up to which everything is booked, ticks.
    pub(super) since: AtomicU64,
    /// The thread's begin, ticks.
    pub(super) begin: AtomicU64,
    pub(super) counters: [AtomicU64; COUNTERS],
    /// When the thread last began to idle, ticks.
    pub(super) idle_from: AtomicU64,
    /// The ticks that the agent itself took in the stretch of time that is booked next.
    pub(super) owed: AtomicU64,
    /// Decides which events are timed.
    pub(super) pace: Pace,
    /// Tasks that the runtime counts.
    pub(super) counts: Counts,
    /// Regions that the runtime adds up.
    pub(super) summed: Summed,
    /// Ticks at work without a processor since the last booking. It is set while totals are written
    /// at the begin or the end of a part of the run, else 0.
    pub pending: AtomicU64,
    /// When the region that the thread last worked for was over, ticks. That region's primary
    /// writes it after the barrier, and this thread reads it. A stale value is older than `since`.
    pub over: Apart,
}

/// A word that another thread writes. It has a cache line of its own, so that the words that the
/// thread itself writes stay in that thread's cache.
#[derive(Default)]
#[repr(align(64))]
pub struct Apart(AtomicU64);

impl core::ops::Deref for Apart {
    type Target = AtomicU64;

    #[inline]
    fn deref(&self) -> &AtomicU64 {
        &self.0
    }
}

impl Account {
    /// Returns the thread's begin, ticks.
    pub fn begun(&self) -> u64 {
        self.begin.load(Relaxed)
    }

    /// Regions that the runtime adds up.
    #[inline(always)]
    pub fn summed(&self) -> &Summed {
        &self.summed
    }

    /// Returns the class that the thread is in.
    #[inline]
    pub fn class(&self) -> Class {
        Class::from_number(self.class.load(Relaxed))
    }

    /// Returns when that class began, ticks.
    #[inline]
    pub fn since(&self) -> u64 {
        self.since.load(Relaxed)
    }

    /// Returns true unless every event was timed up to now.
    #[inline]
    pub fn is_off(&self) -> bool {
        self.pace.is_off()
    }

    /// Whether events are counted only.
    #[inline]
    pub fn is_untimed(&self) -> bool {
        self.pace.is_untimed()
    }

    /// Returns the ticks in untimed stretches, the number of events in them, the number of tasks
    /// that the runtime counted in them, and how many of these tasks would have taken a much
    /// shorter way without a tool.
    pub fn untimed(&self) -> [u64; 4] {
        let Pace { untimed, events, untold, .. } = &self.pace;
        let [untimed, events, untold] = [untimed, events, untold].map(|word| word.load(Relaxed));
        [untimed, events, untold, self.counts.longer()]
    }

    /// Does what [`Counts::is_followed`] does.
    pub fn is_counted_for(&self) -> bool {
        self.counts.is_followed()
    }

    /// Whether the program's own code is executed.
    #[inline]
    pub fn is_at_work(&self) -> bool {
        is_work(self.class.load(Relaxed))
    }

    /// Returns how much of the next `time` to be booked is the agent's. The cost of callbacks is a
    /// mean, which may be too high for this time.
    #[inline(always)]
    pub(super) fn own_part(&self, time: u64) -> u64 {
        self.owed.load(Relaxed).min(time - time / LEAST)
    }

    /// Returns the ticks of the program's own work that had a processor, as booked.
    #[inline]
    pub fn work(&self) -> u64 {
        let of = |counter: usize| self.counters[counter].load(Relaxed);
        let none = of(QUEUED) + of(QUEUED_SERIAL);
        (of(Class::Work as usize) + of(Class::Serial as usize)).saturating_sub(none)
    }

    /// Ticks at work without a processor.
    pub fn queued(&self) -> u64 {
        self.counters[QUEUED].load(Relaxed) + self.counters[QUEUED_SERIAL].load(Relaxed)
    }

    /// Returns the number of tasks that the thread has made so far, reported or counted by the
    /// runtime.
    pub fn created(&self) -> u64 {
        let untold = self.counts.counted().saturating_sub(self.counts.booked());
        self.counters[CREATED].load(Relaxed) + untold
    }

    /// Returns the time of a class as booked, ticks.
    #[inline]
    pub fn booked(&self, class: Class) -> u64 {
        self.counters[class as usize].load(Relaxed)
    }

    /// Returns the counters as booked.
    #[inline]
    pub fn counters(&self) -> Counters {
        Counters(core::array::from_fn(|at| self.counters[at].load(Relaxed)))
    }

    /// Returns the counters as they would be if `now` were booked; nothing is changed. Any thread
    /// may call it. A read during a booking is repeated, a bounded number of times: the thread that
    /// books may have lost its processor.
    pub fn counters_at(&self, now: u64) -> Counters {
        for _ in 0..64 {
            let before = self.booking.load(Acquire);
            let counters = self.read_at(now);
            fence(Acquire);
            if before.is_multiple_of(2) && self.booking.load(Relaxed) == before {
                return counters;
            }
            core::hint::spin_loop();
        }
        self.read_at(now)
    }

    fn read_at(&self, now: u64) -> Counters {
        let mut counters = self.counters();
        let since = self.since();
        let class = self.class();
        let over = self.over.load(Relaxed);
        let summed = self.summed.unbooked(now.saturating_sub(since));
        let since = since + summed.iter().map(|(_, time)| time).sum::<u64>();
        let open = self.summed.open(now, now.saturating_sub(since));
        for (class, time) in summed.into_iter().chain(open) {
            counters.0[class as usize] += time;
        }
        let since = since + open.iter().map(|(_, time)| time).sum::<u64>();
        let pending = now.saturating_sub(since);
        if self.pace.is_untimed() {
            let parts = self.pace.split(pending, class);
            let classes = counters.0[..CLASSES].iter_mut();
            classes.zip(parts).for_each(|(counter, part)| *counter = counter.wrapping_add(part));
        } else if class == Class::Barrier && over >= since && over < now {
            counters.0[class as usize] += over - since;
            counters.0[Class::Idle as usize] += now - over;
        } else {
            let own = if is_work(class as u32) { self.own_part(pending) } else { 0 };
            counters.0[class as usize] += pending - own;
            counters.0[Class::Overhead as usize] += own;
        }
        counters
    }

    /// Returns when the thread last began to idle, ticks. Any thread may call it.
    pub fn idle_from(&self) -> u64 {
        self.idle_from.load(Relaxed)
    }

    /// Whether the thread waits in the barrier of a region that is over: then the thread idles,
    /// though its class is [`Class::Barrier`].
    pub fn is_past_region(&self, now: u64) -> bool {
        let over = self.over.load(Relaxed);
        self.class() == Class::Barrier && over >= self.since() && over < now
    }
}
