//! Exact accounting: where each thread's time went, from events alone.
//!
//! A thread is in one [`Class`] at every moment; [`Account::settle`] books the time since the last
//! event to the class that held. What must hold: the classes never overlap, and their sum is the
//! time from the thread's begin to now. Events come on the thread itself, so every field has one
//! writer: callbacks, and the signal handler where no callback is at work
//! ([`Thread::in_callback`]). Others only read, and read again where a booking was under way.
//!
//! [`Thread::in_callback`]: crate::thread::Thread::in_callback
//!
//! A worker hears of a region's end late (LLVM's runtime tells it at the next fork), so the primary
//! leaves the moment in [`Account::over`]: waiting in the barrier ends there and idling begins.

mod class;
pub mod construct;
pub mod context;
pub mod counts;
pub mod ledger;
pub mod mutex;
pub mod pace;
pub mod place;
pub mod region;
pub mod sched;
pub mod sites;
pub mod table;
pub mod tasks;

pub use class::{
    CLASSES, COUNTERS, CREATED, Class, Counters, EXECUTED, IMPLEMENTATION_BARRIERS, TASK_WORK,
};
use counts::Counts;
use pace::Pace;

use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

/// One part in so many of a time between two events is the program's, however much callbacks seem
/// to take.
const LEAST: u64 = 8;
/// The state machine of one thread.
#[derive(Default)]
pub struct Account {
    /// Odd while a time is being booked.
    booking: AtomicU32,
    class: AtomicU32,
    /// When the class began, or the time up to which everything is booked, ticks.
    since: AtomicU64,
    /// The thread's begin, ticks.
    begin: AtomicU64,
    counters: [AtomicU64; COUNTERS],
    /// When the thread last began to idle, ticks.
    idle_from: AtomicU64,
    /// The agent's own ticks in work: no part of a task's.
    paid: AtomicU64,
    /// The agent's own ticks in the time that is booked next.
    owed: AtomicU64,
    /// Which events are timed.
    pub pace: Pace,
    /// Tasks that the runtime counts.
    pub counts: Counts,
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
    /// Starts anew at `now` in `class`.
    pub fn begin(&self, class: Class, now: u64) {
        for counter in &self.counters {
            counter.store(0, Relaxed);
        }
        self.over.store(0, Relaxed);
        self.counts.begin();
        self.paid.store(0, Relaxed);
        self.owed.store(0, Relaxed);
        self.begin.store(now, Relaxed);
        self.since.store(now, Relaxed);
        self.idle_from.store(now, Relaxed);
        self.class.store(class as u32, Relaxed);
    }

    /// The thread's begin, ticks.
    pub fn begun(&self) -> u64 {
        self.begin.load(Relaxed)
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

    /// Books the time up to `now`; the class stays, but a worker's wait in the barrier of a region
    /// that is over becomes idling.
    #[inline]
    pub fn settle(&self, now: u64) {
        let since = self.since();
        if now <= since {
            return;
        }
        let time = now - since;
        if self.book(since, now) {
            let owed = self.owed.load(Relaxed);
            self.owed.store(0, Relaxed);
            if self.pace.is_measure() {
                // What callbacks cost is a mean: one that is too high must leave something to split
                // other time by.
                self.pace.timed(self.class(), time.saturating_sub(owed).max(time / LEAST));
            }
        }
    }

    /// As [`Account::settle`], for time of which no event was the beginning: estimates are not made
    /// after it.
    pub fn settle_certain(&self, now: u64) {
        let since = self.since();
        if now > since {
            self.book(since, now);
        }
    }

    /// Books the time from `since` to `now`; false where the class is another one from here on.
    #[inline]
    fn book(&self, since: u64, now: u64) -> bool {
        let class = self.class.load(Relaxed);
        // Another thread writes `over`: it is looked at only where it matters.
        if class == Class::Barrier as u32 {
            let over = self.over.load(Relaxed);
            if over >= since && over < now && over != 0 {
                self.book_past_region(since, over, now);
                return false;
            }
        }
        self.begin_booking();
        self.count_class(class, now - since);
        self.since.store(now, Relaxed);
        self.end_booking();
        true
    }

    /// As [`Account::book`] where the region whose barrier the thread waits in was over at `over`.
    fn book_past_region(&self, since: u64, over: u64, now: u64) {
        self.begin_booking();
        self.count(Class::Barrier as usize, over - since);
        self.count(Class::Idle as usize, now - over);
        self.class.store(Class::Idle as u32, Relaxed);
        self.idle_from.store(over, Relaxed);
        self.since.store(now, Relaxed);
        self.end_booking();
    }

    /// Adds to the time of a class, by its number.
    #[inline]
    fn count_class(&self, class: u32, much: u64) {
        // Less than the number of counters, so nothing is left to check.
        const { assert!(CLASSES <= 8 && COUNTERS >= 8) };
        let counter = &self.counters[(class & 7) as usize];
        counter.store(counter.load(Relaxed).wrapping_add(much), Relaxed);
    }

    /// From here to [`Account::end_booking`] counters and `since` do not belong together.
    #[inline]
    fn begin_booking(&self) {
        self.booking.store(self.booking.load(Relaxed).wrapping_add(1), Relaxed);
        fence(Release);
    }

    #[inline]
    fn end_booking(&self) {
        self.booking.store(self.booking.load(Relaxed).wrapping_add(1), Release);
    }

    /// Books the time up to `now` and goes on in `class`; says what held before.
    #[inline]
    pub fn switch(&self, class: Class, now: u64) -> Class {
        self.settle(now);
        let before = self.class();
        if class == Class::Idle && before != Class::Idle {
            self.idle_from.store(now, Relaxed);
        }
        self.class.store(class as u32, Relaxed);
        before
    }

    /// The class that holds was found to be another one.
    pub fn correct(&self, class: Class) {
        self.class.store(class as u32, Relaxed);
    }

    /// `much` of the time that is booked next is the agent's own.
    #[inline]
    pub fn pay(&self, much: u64) {
        // Only where all time is a measure may some callbacks come without a booking.
        let owed = if self.pace.is_measure() { self.owed.load(Relaxed) } else { 0 };
        self.owed.store(owed + much, Relaxed);
        if self.is_at_work() {
            self.paid.store(self.paid.load(Relaxed) + much, Relaxed);
        }
    }

    /// True where the program's own code is executed.
    #[inline]
    pub fn is_at_work(&self) -> bool {
        const { assert!(Class::Work as u32 == 0 && Class::Serial as u32 == 1) };
        self.class.load(Relaxed) <= Class::Serial as u32
    }

    /// Ticks of the program's own work, as booked.
    #[inline]
    pub fn work(&self) -> u64 {
        let of = |class: Class| self.counters[class as usize].load(Relaxed);
        (of(Class::Work) + of(Class::Serial)).saturating_sub(self.paid.load(Relaxed))
    }

    /// A region that this thread joins at `now` was forked at `forked`: idling since then was
    /// getting there, which is overhead.
    #[inline]
    pub fn join(&self, forked: u64, now: u64) {
        self.settle(now);
        if self.class() == Class::Idle {
            let late = now.saturating_sub(forked.max(self.idle_from.load(Relaxed)));
            self.count(Class::Idle as usize, late.wrapping_neg());
            self.count(Class::Overhead as usize, late);
        }
    }

    /// Adds to a counter; by the thread itself only.
    #[inline]
    pub fn count(&self, counter: usize, much: u64) {
        if let Some(place) = self.counters.get(counter) {
            place.store(place.load(Relaxed).wrapping_add(much), Relaxed);
        }
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
        let pending = now.saturating_sub(since);
        if self.pace.is_untimed() {
            counters.skip(&self.pending_untimed(pending));
        } else if class == Class::Barrier && over >= since && over < now {
            counters.0[class as usize] += over - since;
            counters.0[Class::Idle as usize] += now - over;
        } else {
            counters.0[class as usize] += pending;
        }
        counters
    }

    /// True where the region that the thread waits in is over: what looks like a barrier is idling.
    pub fn is_past_region(&self, now: u64) -> bool {
        let over = self.over.load(Relaxed);
        self.class() == Class::Barrier && over >= self.since() && over < now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tick_is_in_one_class() {
        let account = Account::default();
        account.begin(Class::Idle, 100);
        assert_eq!(account.switch(Class::Work, 150), Class::Idle);
        assert_eq!(account.switch(Class::Barrier, 200), Class::Work);
        account.over.store(260, Relaxed);
        assert!(account.is_past_region(300));
        assert_eq!(account.counters_at(300).time(), 200);
        assert_eq!(account.switch(Class::Work, 300), Class::Idle);
        let counters = account.counters();
        assert_eq!(counters.class(Class::Work), 50);
        assert_eq!(counters.class(Class::Barrier), 60);
        assert_eq!(counters.class(Class::Idle), 90);
        assert_eq!(counters.time(), 200);
    }

    #[test]
    fn the_way_into_a_region_is_overhead() {
        let account = Account::default();
        account.begin(Class::Work, 0);
        account.switch(Class::Barrier, 10);
        account.over.store(20, Relaxed);
        // The runtime tells of the barrier's end when the next region was forked long ago.
        account.settle(90);
        account.join(60, 95);
        account.switch(Class::Work, 95);
        let counters = account.counters();
        assert_eq!(counters.class(Class::Idle), 40);
        assert_eq!(counters.class(Class::Overhead), 35);
        assert_eq!(counters.time(), 95);
    }

    #[test]
    fn an_older_regions_end_changes_nothing() {
        let account = Account::default();
        account.begin(Class::Work, 0);
        account.switch(Class::Barrier, 50);
        account.over.store(40, Relaxed);
        account.settle(90);
        assert_eq!(account.counters().class(Class::Barrier), 40);
    }
}
