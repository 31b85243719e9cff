//! The lengths of a worker's waits for orders. By them `team/habit.rs` decides how the worker
//! waits.

use super::{Owner, OwnerWord};

/// The number of waits, each like the one before it, that make a habit.
const WAITS_ALIKE: u32 = 2;
/// The nanoseconds by which a timer and the wake-up behind it may be late.
pub(crate) const LATE_NANOSECONDS: u64 = 200_000;
/// The most nanoseconds that a worker spins on each side of the time it expects. Twice this and
/// `SHORT_WAIT_CYCLES` (`team/habit.rs`) are together less than a wait spins by default.
const MOST_MARGIN_NANOSECONDS: u64 = 1_600_000;
const LEAST_WAIT_NANOSECONDS: u64 = 4_000_000;

/// The lengths of a worker's waits for orders, in nanoseconds. Belongs to the worker.
pub struct Habit {
    /// The mean length of the latest waits.
    pub(crate) mean: OwnerWord<u64>,
    /// The mean difference of the waits from [`Habit::mean`].
    deviation: OwnerWord<u64>,
    /// The number of latest waits that were alike.
    alike: OwnerWord<u32>,
    /// Whether the latest wait was unlike those before it, which were a habit.
    odd: OwnerWord<bool>,
    /// The moment from which the current wait counts as long (clock nanoseconds); 0: it is still
    /// short.
    pub(crate) since: OwnerWord<u64>,
}

impl Habit {
    /// Makes the habit of a worker that has waited for no order.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Habit {
        Habit {
            mean: OwnerWord::new(0),
            deviation: OwnerWord::new(0),
            alike: OwnerWord::new(0),
            odd: OwnerWord::new(false),
            since: OwnerWord::new(0),
        }
    }

    /// Returns the nanoseconds that the worker spins before and after the expected time, `None` if
    /// it expects none.
    pub(crate) fn margin(&self) -> Option<u64> {
        let deviation = self.deviation.get();
        let expects = self.alike.get() >= WAITS_ALIKE
            && deviation <= MOST_MARGIN_NANOSECONDS
            && self.mean.get() >= LEAST_WAIT_NANOSECONDS;
        let margin = (2 * deviation + LATE_NANOSECONDS).min(MOST_MARGIN_NANOSECONDS);
        expects.then_some(margin)
    }

    /// Learns that a wait took `time`.
    fn learn(&self, by: Owner<'_>, time: u64) {
        let (mean, deviation) = (self.mean.get(), self.deviation.get());
        let error = time.abs_diff(mean);
        if error > mean / 4 {
            if self.alike.get() >= WAITS_ALIKE && !self.odd.replace(by, true) {
                return;
            }
            self.odd.set(by, false);
            self.alike.set(by, 0);
            self.mean.set(by, time);
            self.deviation.set(by, 0);
            return;
        }
        self.odd.set(by, false);
        self.alike.set(by, self.alike.get().saturating_add(1));
        self.mean.set(by, (3 * mean + time) / 4);
        // A wait that was far off counts at once, and is forgotten slowly.
        self.deviation.set(
            by,
            if error > deviation { (deviation + error) / 2 } else { (7 * deviation + error) / 8 },
        );
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn long_one_over(&self, by: Owner<'_>) {
        let since = self.since.replace(by, 0);
        self.learn(by, omphalos_sys::clock::nanoseconds().saturating_sub(since));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Thread;
    use super::*;
    use omphalos_events::ThreadKind;

    impl Thread {
        fn waited(&self, time: u64) {
            self.habit.learn(self.as_owner(), time);
        }

        fn margin(&self) -> Option<u64> {
            self.habit.margin()
        }
    }

    fn worker() -> Thread {
        Thread::new(0, 0, ThreadKind::Worker)
    }

    #[test]
    fn a_few_waits_alike_make_a_habit() {
        let worker = worker();
        for time in [20_000_000, 20_100_000] {
            worker.waited(time);
            assert_eq!(worker.margin(), None);
        }
        worker.waited(20_050_000);
        assert!(worker.margin().is_some_and(|margin| {
            (LATE_NANOSECONDS..LATE_NANOSECONDS + 500_000).contains(&margin)
        }));
        assert!(worker.habit.mean.get().abs_diff(20_000_000) < 100_000);
        // A wait that is some milliseconds off.
        worker.waited(22_000_000);
        assert!(worker.margin().is_some_and(|margin| margin <= MOST_MARGIN_NANOSECONDS));
    }

    #[test]
    fn one_of_another_length_changes_nothing_and_two_in_a_row_end_it() {
        let worker = worker();
        for _ in 0..10 {
            worker.waited(20_000_000);
        }
        assert!(worker.margin().is_some());
        for _ in 0..2 {
            worker.waited(1_000_000);
            assert!(worker.margin().is_some());
            worker.waited(20_000_000);
            assert!(worker.margin().is_some());
        }
        worker.waited(1_000_000);
        worker.waited(1_000_000);
        assert_eq!(worker.margin(), None);
        worker.waited(20_000_000);
        assert_eq!(worker.margin(), None);
    }

    #[test]
    fn waits_that_differ_or_are_short_make_none() {
        let (differ, short) = (worker(), worker());
        for count in 0..100 {
            differ.waited(if count % 2 == 0 { 36_000_000 } else { 44_000_000 });
            short.waited(LEAST_WAIT_NANOSECONDS / 2);
        }
        assert_eq!((differ.margin(), short.margin()), (None, None));
    }
}
