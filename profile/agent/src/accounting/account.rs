//! A thread's account, as all may read it.
//!
//! What must hold: the classes never overlap, and their sum is the time from the thread's begin to
//! now. Events come on the thread itself, so every field has one writer at a time, who has the
//! [`Books`](super::Books). Others only read, and read again where a booking was under way.
//!
//! A worker is told of a region's end late (LLVM's runtime tells it at the next fork), so the
//! primary leaves the moment in [`Account::over`]: waiting in the barrier ends there and idling
//! begins.

use super::counts::Counts;
use super::pace::Pace;
use super::summed::Summed;
use super::{CLASSES, COUNTERS, CREATED, Class, Counters, QUEUED, QUEUED_SERIAL};
use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed},
    fence,
};

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
    /// The agent's own ticks in work: no part of a task's.
    pub(super) paid: AtomicU64,
    /// The agent's own ticks in the time that is booked next.
    pub(super) owed: AtomicU64,
    /// Which events are timed.
    pub(super) pace: Pace,
    /// Tasks that the runtime counts.
    pub(super) counts: Counts,
    /// Regions that the runtime adds up.
    pub(super) summed: Summed,
    /// At work without a processor since the last booking, ticks: while totals are written that end
    /// or begin a part of the run, else 0.
    pub pending: AtomicU64,
    /// When the region that the thread last worked for was over, ticks. Written by that region's
    /// primary after the barrier, read by this thread; a stale one is older than `since`.
    pub over: Apart,
}

/// A word that another thread writes, on a cache line of its own: the thread's own words stay with
/// it.
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
    /// The thread's begin, ticks.
    pub fn begun(&self) -> u64 {
        self.begin.load(Relaxed)
    }

    /// Regions that the runtime adds up.
    #[inline(always)]
    pub fn summed(&self) -> &Summed {
        &self.summed
    }

    /// The class that holds.
    #[inline]
    pub fn class(&self) -> Class {
        Class::from_number(self.class.load(Relaxed))
    }

    /// When the class that holds began, ticks.
    #[inline]
    pub fn since(&self) -> u64 {
        self.since.load(Relaxed)
    }

    /// True unless every event was timed up to now.
    #[inline]
    pub fn is_off(&self) -> bool {
        self.pace.is_off()
    }

    /// True where events are counted only.
    #[inline]
    pub fn is_untimed(&self) -> bool {
        self.pace.is_untimed()
    }

    /// Ticks in untimed stretches, the events counted in them, the tasks that the runtime counted
    /// there, and those of them that would have taken a much shorter way without a tool.
    pub fn untimed(&self) -> [u64; 4] {
        let Pace { untimed, events, untold, .. } = &self.pace;
        let [untimed, events, untold] = [untimed, events, untold].map(|word| word.load(Relaxed));
        [untimed, events, untold, self.counts.longer()]
    }

    /// See [`Counts::is_followed`].
    pub fn is_counted_for(&self) -> bool {
        self.counts.is_followed()
    }

    /// True where the program's own code is executed.
    #[inline]
    pub fn is_at_work(&self) -> bool {
        const { assert!(Class::Work as u32 == 0 && Class::Serial as u32 == 1) };
        self.class.load(Relaxed) <= Class::Serial as u32
    }

    /// Ticks of the program's own work that had a processor, as booked.
    #[inline]
    pub fn work(&self) -> u64 {
        let of = |counter: usize| self.counters[counter].load(Relaxed);
        let none = of(QUEUED) + of(QUEUED_SERIAL) + self.paid.load(Relaxed);
        (of(Class::Work as usize) + of(Class::Serial as usize)).saturating_sub(none)
    }

    /// Ticks at work without a processor.
    pub fn queued(&self) -> u64 {
        self.counters[QUEUED].load(Relaxed) + self.counters[QUEUED_SERIAL].load(Relaxed)
    }

    /// Tasks that the thread made so far, told or counted by the runtime.
    pub fn created(&self) -> u64 {
        let untold = self.counts.counted().saturating_sub(self.counts.booked());
        self.counters[CREATED].load(Relaxed) + untold
    }

    /// The time of a class as booked, ticks.
    #[inline]
    pub fn booked(&self, class: Class) -> u64 {
        self.counters[class as usize].load(Relaxed)
    }

    /// The counters as booked.
    #[inline]
    pub fn counters(&self) -> Counters {
        Counters(core::array::from_fn(|at| self.counters[at].load(Relaxed)))
    }

    /// The counters as they would be if `now` were booked; nothing is changed. For any thread: what
    /// is read during a booking is read again, a bounded number of times (its thread may have lost
    /// the processor in it).
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
        for (class, time) in summed {
            counters.0[class as usize] += time;
        }
        let since = since + summed.iter().map(|(_, time)| time).sum::<u64>();
        let pending = now.saturating_sub(since);
        if self.pace.is_untimed() {
            let parts = self.pace.split(pending, class);
            let classes = counters.0[..CLASSES].iter_mut();
            classes.zip(parts).for_each(|(counter, part)| *counter = counter.wrapping_add(part));
        } else if class == Class::Barrier && over >= since && over < now {
            counters.0[class as usize] += over - since;
            counters.0[Class::Idle as usize] += now - over;
        } else {
            counters.0[class as usize] += pending;
        }
        counters
    }

    /// When the thread began to idle last, ticks. For any thread.
    pub fn idle_from(&self) -> u64 {
        self.idle_from.load(Relaxed)
    }

    /// True where the region that the thread waits in is over: what looks like a barrier is idling.
    pub fn is_past_region(&self, now: u64) -> bool {
        let over = self.over.load(Relaxed);
        self.class() == Class::Barrier && over >= self.since() && over < now
    }
}
