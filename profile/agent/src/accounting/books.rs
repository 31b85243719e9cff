//! A thread's account, as its owner writes it.

use super::counts::Counts;
use super::pace::Pace;
use super::{Account, CLASSES, COUNTERS, Class, account::is_work};
use core::ops::Deref;
use core::sync::atomic::{
    Ordering::{Relaxed, Release},
    fence,
};

/// The right to write an account: only one thread or handler has it at a time.
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
    /// Returns the right to write this account.
    ///
    /// # Safety
    /// No other code has it meanwhile: the caller is a callback of the thread's, or its signal
    /// handler where no callback is at work, or the code that begins or ends the thread's record.
    /// All words are atomic, so a mistake makes figures wrong, but not memory unsafe.
    #[inline(always)]
    pub unsafe fn of(account: &Account) -> &Books {
        // SAFETY: the type is the account, with another name.
        unsafe { &*core::ptr::from_ref(account).cast::<Books>() }
    }

    /// Decides which events are timed.
    #[inline(always)]
    pub fn pace(&self) -> &Pace {
        &self.0.pace
    }

    /// Tasks that the runtime counts.
    #[inline(always)]
    pub fn counts(&self) -> &Counts {
        &self.0.counts
    }

    /// Books the times that the runtime added up since the last event. The rest of the time since
    /// then belongs to the class, as for any event.
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

    /// Books work in a region that the runtime neither reported nor adds up, and the wait at
    /// barriers inside; that work began after everything that is booked.
    #[inline]
    pub fn book_passed(&self, times: [(Class, u64); 2]) {
        self.begin_booking();
        times.iter().for_each(|(class, time)| self.count(*class as usize, *time));
        let all: u64 = times.iter().map(|(_, time)| time).sum();
        self.since.store(self.since() + all, Relaxed);
        self.end_booking();
    }

    /// Starts anew at `now` in `class`.
    pub fn begin(&self, class: Class, now: u64) {
        for counter in &self.counters {
            counter.store(0, Relaxed);
        }
        self.over.store(0, Relaxed);
        self.counts.begin();
        self.summed.begin();
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
        let own = self.own_part(now - since);
        if self.book(since, now, own) && self.pace.is_measure() {
            self.pace.timed(self.class(), now - since - own);
        }
    }

    /// Does what [`Books::settle`] does, for time that began at no event: no estimate is made from
    /// it.
    pub fn settle_certain(&self, now: u64) {
        let since = self.since();
        if now > since {
            self.book(since, now, 0);
        }
    }

    /// Books the time from `since` to `now`, of which `own` is the agent's. Returns false if this
    /// changed the class.
    #[inline]
    fn book(&self, since: u64, now: u64, own: u64) -> bool {
        let class = self.class.load(Relaxed);
        // Another thread writes `over`, so it is read only where it matters.
        if class == Class::Barrier as u32 {
            let over = self.over.load(Relaxed);
            if over >= since && over < now && over != 0 {
                self.book_past_region(since, over, now);
                return false;
            }
        }
        self.book_time(class, (now - since, own), now);
        true
    }

    /// Books the `time` up to `now`, of which `own` is the agent's.
    #[inline(always)]
    fn book_time(&self, class: u32, (time, own): (u64, u64), now: u64) {
        let own = if is_work(class) { own } else { 0 };
        self.begin_booking();
        self.count_class(class, time - own);
        self.count_class(Class::Overhead as u32, own);
        self.since.store(now, Relaxed);
        self.owed.store(0, Relaxed);
        self.end_booking();
    }

    /// Does what [`Books::book`] does, where the thread waits in the barrier of a region that was
    /// over at `over`.
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
        // `class` is less than the number of counters, so no bounds check is needed.
        const { assert!(CLASSES <= 8 && COUNTERS >= 8) };
        let counter = &self.counters[(class & 7) as usize];
        counter.store(counter.load(Relaxed).wrapping_add(much), Relaxed);
    }

    /// Begins a booking: between this and [`Books::end_booking`] the counters and `since` do not
    /// belong together.
    #[inline]
    pub(super) fn begin_booking(&self) {
        self.booking.store(self.booking.load(Relaxed).wrapping_add(1), Relaxed);
        fence(Release);
    }

    #[inline]
    pub(super) fn end_booking(&self) {
        self.booking.store(self.booking.load(Relaxed).wrapping_add(1), Release);
    }

    /// Books the time up to `now` and goes on in `class`; returns the class before.
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

    /// Does what [`Books::switch`] does, from the class `from`, for an event of a kind that does
    /// not come often (see [`Pace::event`]). It leaves out the callback's cost. Returns false, and
    /// changes nothing, where this short way does not serve.
    #[inline(always)]
    pub fn pass(&self, from: Class, to: Class, now: u64) -> bool {
        let since = self.since();
        if self.class.load(Relaxed) != from as u32 || now <= since {
            return false;
        }
        // Another thread may have written a region's end here.
        if from == Class::Barrier && self.over.load(Relaxed) >= since {
            return false;
        }
        let time = now - since;
        self.book_time(from as u32, (time, self.own_part(time)), now);
        self.class.store(to as u32, Relaxed);
        self.pace.event(false);
        true
    }

    /// Replaces the class, which was found to be wrong.
    pub fn correct(&self, class: Class) {
        self.class.store(class as u32, Relaxed);
    }

    /// Says that `much` of the time that is booked next is the agent's own. Where that time is
    /// work, the agent's part of it is overhead.
    #[inline]
    pub fn pay(&self, much: u64) {
        self.owed.store(self.owed.load(Relaxed) + much, Relaxed);
    }

    /// Says that none of the time that is booked next is the agent's own.
    pub fn forgive(&self) {
        self.owed.store(0, Relaxed);
    }

    /// Notes that the thread joins at `now` a region that was forked at `forked`. Idling since then
    /// becomes overhead: the thread was on its way to the region.
    #[inline]
    pub fn join(&self, forked: u64, now: u64) {
        self.settle(now);
        if self.class() == Class::Idle {
            let late = now.saturating_sub(forked.max(self.idle_from.load(Relaxed)));
            self.count(Class::Idle as usize, late.wrapping_neg());
            self.count(Class::Overhead as usize, late);
        }
    }

    /// Adds to a counter. Only the thread itself calls it.
    #[inline]
    pub fn count(&self, counter: usize, much: u64) {
        if let Some(place) = self.counters.get(counter) {
            place.store(place.load(Relaxed).wrapping_add(much), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Counters;
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
    fn the_agents_part_of_work_is_overhead() {
        let account = Books::default();
        account.begin(Class::Serial, 0);
        account.pay(30);
        account.switch(Class::Work, 100);
        account.pay(20);
        account.pay(20);
        let times = |of: &Counters| {
            [Class::Serial, Class::Work, Class::Barrier, Class::Overhead].map(|at| of.class(at))
        };
        assert_eq!(times(&account.counters_at(200)), [70, 60, 0, 70]);
        assert!(account.pass(Class::Work, Class::Barrier, 200));
        account.pay(10);
        // A wait is as long as ever: the others were on their way meanwhile.
        account.switch(Class::Work, 300);
        assert_eq!(times(&account.counters()), [70, 60, 100, 70]);
        // A callback that was cheaper than the mean leaves some of the time to the program.
        account.pay(1000);
        account.settle(308);
        assert_eq!(times(&account.counters()), [70, 61, 100, 77]);
        assert_eq!(account.counters().time(), 308);
    }

    #[test]
    fn the_way_into_a_region_is_overhead() {
        let account = Books::default();
        account.begin(Class::Work, 0);
        account.switch(Class::Barrier, 10);
        account.over.store(20, Relaxed);
        // The runtime reports the barrier's end when the next region was forked long ago.
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
