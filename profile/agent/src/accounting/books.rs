//! A thread's account, as its owner writes it.

use super::counts::Counts;
use super::pace::Pace;
use super::{Account, CLASSES, COUNTERS, Class};
use core::ops::Deref;
use core::sync::atomic::{
    Ordering::{Relaxed, Release},
    fence,
};

/// One part in so many of a time between two events is the program's, however much callbacks seem
/// to take.
const LEAST: u64 = 8;

/// The right to write an account: whoever has this is the only one at that time.
#[derive(Default)]
#[repr(transparent)]
pub struct Books(Account);

impl Deref for Books {
    type Target = Account;

    #[inline(always)]
    fn deref(&self) -> &Account {
        &self.0
    }
}

impl Books {
    /// The right to write this account.
    ///
    /// # Safety
    /// Nobody else has it meanwhile: the caller is a callback of the thread's, its handler where no
    /// callback is at work, or whoever begins or ends the thread's record. All words are atomic, so
    /// what is at stake is that figures are right, not that memory is.
    #[inline(always)]
    pub unsafe fn of(account: &Account) -> &Books {
        // SAFETY: the type is the account, with another name.
        unsafe { &*core::ptr::from_ref(account).cast::<Books>() }
    }

    /// Which events are timed.
    #[inline(always)]
    pub fn pace(&self) -> &Pace {
        &self.0.pace
    }

    /// Tasks that the runtime counts.
    #[inline(always)]
    pub fn counts(&self) -> &Counts {
        &self.0.counts
    }

    /// Books what the runtime added up of the time since the last event: the rest of that is the
    /// class's, as ever.
    pub fn book_summed(&self) {
        let summed = self.summed.unbooked(u64::MAX);
        let all: u64 = summed.iter().map(|(_, time)| time).sum();
        if all > 0 {
            self.begin_booking();
            summed.iter().for_each(|(class, time)| self.count(*class as usize, *time));
            self.summed.book(&summed);
            self.since.store(self.since() + all, Relaxed);
            self.end_booking();
        }
    }

    /// Starts anew at `now` in `class`.
    pub fn begin(&self, class: Class, now: u64) {
        for counter in &self.counters {
            counter.store(0, Relaxed);
        }
        self.over.store(0, Relaxed);
        self.counts.begin();
        self.summed.begin();
        self.paid.store(0, Relaxed);
        self.owed.store(0, Relaxed);
        self.begin.store(now, Relaxed);
        self.since.store(now, Relaxed);
        self.idle_from.store(now, Relaxed);
        self.class.store(class as u32, Relaxed);
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

    /// As [`Books::settle`], for time of which no event was the beginning: estimates are not made
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

    /// As [`Books::book`] where the region whose barrier the thread waits in was over at `over`.
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

    /// From here to [`Books::end_booking`] counters and `since` do not belong together.
    #[inline]
    pub(super) fn begin_booking(&self) {
        self.booking.store(self.booking.load(Relaxed).wrapping_add(1), Relaxed);
        fence(Release);
    }

    #[inline]
    pub(super) fn end_booking(&self) {
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

    /// As [`Books::switch`] where `from` holds, for an event that may not come often (see
    /// [`Pace::event`]), without what the callback costs. False where
    /// something else is to be done: nothing is changed then.
    #[inline(always)]
    pub fn pass(&self, from: Class, to: Class, now: u64) -> bool {
        let since = self.since();
        if self.class.load(Relaxed) != from as u32 || now <= since {
            return false;
        }
        // A region's end may have been left here by another thread.
        if from == Class::Barrier && self.over.load(Relaxed) >= since {
            return false;
        }
        self.begin_booking();
        self.count_class(from as u32, now - since);
        self.since.store(now, Relaxed);
        self.end_booking();
        self.class.store(to as u32, Relaxed);
        self.pace.event(false);
        true
    }

    /// As [`Books::pay`] after [`Books::pass`] to a class of waiting.
    #[inline(always)]
    pub fn pay_waiting(&self, much: u64) {
        self.owed.store(much, Relaxed);
    }

    /// As [`Books::pay`] after [`Books::pass`] to work.
    #[inline(always)]
    pub fn pay_working(&self, much: u64) {
        self.owed.store(much, Relaxed);
        self.paid.store(self.paid.load(Relaxed) + much, Relaxed);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tick_is_in_one_class() {
        let account = Books::default();
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
        let account = Books::default();
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
        let account = Books::default();
        account.begin(Class::Work, 0);
        account.switch(Class::Barrier, 50);
        account.over.store(40, Relaxed);
        account.settle(90);
        assert_eq!(account.counters().class(Class::Barrier), 40);
    }
}
