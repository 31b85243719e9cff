//! When a worker's next order comes, as far as the times before say.
//!
//! A program that works serially for longer than a wait spins finds its workers asleep at each region: waking
//! one takes 40 to 90 microseconds where its processor has gone to rest. Many such programs do the same over
//! and over: each time step has its serial part. So a worker whose waits were all about as long sleeps early,
//! wakes up shortly before the order is due and spins for it.
//!
//! What must hold: it never spins longer in one wait than it would without a habit, and where an order comes at
//! another time than expected, it costs what it cost a sleeper before: one wake-up. One wait of another length
//! changes nothing, since the next one is mostly as usual again; two in a row end the habit.
//!
//! It pays in a program whose regions come every 20 ms (`wake_20ms` of the bench: time and processor time), also
//! where one part in eight is short (`wake_mostly20ms`). It could hurt one whose serial parts change their
//! length for good: the first two regions behind the change find the worker asleep, 50 microseconds each.
use crate::records::Thread;
use core::cell::Cell;
use core::time::Duration;
use omphalos_settings::settings;
use omphalos_sync::spin::Spin;

/// Time-stamp cycles that each wait for an order begins with: shorter waits are no matter of habits.
const SHORT_WAIT_CYCLES: u64 = 500_000;
/// So many waits like the one before make a habit.
const WAITS_ALIKE: u32 = 2;
/// Nanoseconds that a timer and the wake-up behind it may be late.
const LATE_NANOSECONDS: u64 = 200_000;
/// The same a worker spins at most on each side of the time it expects, and the least wait for which it does:
/// two of these and [`SHORT_WAIT_CYCLES`] are less than what a wait spins by default.
const MOST_MARGIN_NANOSECONDS: u64 = 2_300_000;
const LEAST_WAIT_NANOSECONDS: u64 = 6_000_000;
/// Time-stamp cycles in a nanosecond, roughly.
const CYCLES_A_NANOSECOND: u64 = 3;

/// What a worker knows of its waits for orders, in nanoseconds. Belongs to it.
#[derive(Debug, Default)]
pub struct Habit {
    /// How long they took lately.
    mean: Cell<u64>,
    /// And by how much they differed from that.
    deviation: Cell<u64>,
    /// How many were alike.
    alike: Cell<u32>,
    /// The latest one was not, but many before it.
    odd: Cell<bool>,
    /// When the current wait was no short one any more, 0 = it is.
    since: Cell<u64>,
}

impl Habit {
    /// Nothing known.
    pub const fn new() -> Habit {
        Habit {
            mean: Cell::new(0),
            deviation: Cell::new(0),
            alike: Cell::new(0),
            odd: Cell::new(false),
            since: Cell::new(0),
        }
    }

    /// How long before and behind the expected time the worker spins, if it expects any.
    fn margin(&self) -> Option<u64> {
        let deviation = self.deviation.get();
        let expects = self.alike.get() >= WAITS_ALIKE
            && deviation <= MOST_MARGIN_NANOSECONDS
            && self.mean.get() >= LEAST_WAIT_NANOSECONDS;
        let margin = (2 * deviation + LATE_NANOSECONDS).min(MOST_MARGIN_NANOSECONDS);
        expects.then_some(margin)
    }

    /// A wait took `time`.
    fn learn(&self, time: u64) {
        let (mean, deviation) = (self.mean.get(), self.deviation.get());
        let error = time.abs_diff(mean);
        if error > mean / 4 {
            if self.alike.get() >= WAITS_ALIKE && !self.odd.replace(true) {
                return;
            }
            self.odd.set(false);
            self.alike.set(0);
            self.mean.set(time);
            self.deviation.set(0);
            return;
        }
        self.odd.set(false);
        self.alike.set(self.alike.get().saturating_add(1));
        self.mean.set((3 * mean + time) / 4);
        // One that was far off counts at once, and is forgotten slowly.
        self.deviation.set(if error > deviation {
            (deviation + error) / 2
        } else {
            (7 * deviation + error) / 8
        });
    }

    #[cold]
    #[inline(never)]
    fn long_one_over(&self) {
        let since = self.since.replace(0);
        self.learn(omphalos_sys::clock::nanoseconds().saturating_sub(since));
    }
}

/// A worker's wait for its next order: ask [`again`](OrderWait::again) what to do until there is one.
pub struct OrderWait<'a> {
    thread: &'a Thread,
    spin: Spin<'a>,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    /// It may be a short one.
    Begun,
    /// It is as long as it may be without a sleep.
    Spinning,
    /// Slept until shortly before the expected time.
    Napped,
}

/// What the waiting thread does next.
pub enum Next {
    /// Looks again.
    Look,
    /// Sleeps, for no longer than that.
    Sleep(Option<Duration>),
}

impl<'a> OrderWait<'a> {
    /// `busy`: threads that worked at once in the worker's latest region.
    #[inline(always)]
    pub fn begin(thread: &'a Thread, busy: u32) -> OrderWait<'a> {
        let settings = settings();
        let spin = settings.wait(busy, &thread.sharing);
        // Who was told how long to spin does just that.
        let (spin, stage) = if settings.spins_as_usual(busy) {
            (spin.at_most(SHORT_WAIT_CYCLES), Stage::Begun)
        } else {
            (spin, Stage::Spinning)
        };
        OrderWait { thread, spin, stage }
    }

    /// Pauses once, unless the thread is to sleep.
    #[inline(always)]
    pub fn again(&mut self) -> Next {
        if self.spin.again_politely() { Next::Look } else { self.go_on() }
    }

    #[cold]
    #[inline(never)]
    fn go_on(&mut self) -> Next {
        let habit = &self.thread.habit;
        match self.stage {
            Stage::Begun => {
                habit.since.set(omphalos_sys::clock::nanoseconds());
                if habit.margin().is_some() {
                    self.stage = Stage::Napped;
                    return self.nap();
                }
                self.spin = settings().wait(self.thread.busy.get(), &self.thread.sharing);
                self.stage = Stage::Spinning;
                Next::Look
            }
            Stage::Napped => self.nap(),
            Stage::Spinning => {
                settings().waited_in_vain();
                Next::Sleep(None)
            }
        }
    }

    /// Sleeps until shortly before the expected time; then spins.
    fn nap(&mut self) -> Next {
        let habit = &self.thread.habit;
        let margin = habit.margin().unwrap_or(0);
        let wake_up = habit.since.get() + habit.mean.get() - margin;
        let left = wake_up.saturating_sub(omphalos_sys::clock::nanoseconds());
        if left > LATE_NANOSECONDS / 4 {
            return Next::Sleep(Some(Duration::from_nanos(left)));
        }
        self.spin = Spin::polite(
            2 * margin * CYCLES_A_NANOSECOND,
            settings().processors.known(),
            &self.thread.sharing,
        );
        self.stage = Stage::Spinning;
        Next::Look
    }

    /// There is an order.
    #[inline(always)]
    pub fn over(&self) {
        if self.thread.habit.since.get() != 0 {
            self.thread.habit.long_one_over();
        }
    }

    /// Something else came of it.
    pub fn given_up(&self) {
        self.thread.habit.since.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_waits_alike_make_a_habit() {
        let habit = Habit::new();
        for time in [20_000_000, 20_100_000] {
            habit.learn(time);
            assert_eq!(habit.margin(), None);
        }
        habit.learn(20_050_000);
        assert!(habit.margin().is_some_and(|margin| {
            (LATE_NANOSECONDS..LATE_NANOSECONDS + 500_000).contains(&margin)
        }));
        assert!(habit.mean.get().abs_diff(20_000_000) < 100_000);
        // One that is some milliseconds off.
        habit.learn(22_000_000);
        assert!(habit.margin().is_some_and(|margin| margin <= MOST_MARGIN_NANOSECONDS));
    }

    #[test]
    fn one_of_another_length_changes_nothing_and_two_in_a_row_end_it() {
        let habit = Habit::new();
        for _ in 0..10 {
            habit.learn(20_000_000);
        }
        assert!(habit.margin().is_some());
        for _ in 0..2 {
            habit.learn(1_000_000);
            assert!(habit.margin().is_some());
            habit.learn(20_000_000);
            assert!(habit.margin().is_some());
        }
        habit.learn(1_000_000);
        habit.learn(1_000_000);
        assert_eq!(habit.margin(), None);
        habit.learn(20_000_000);
        assert_eq!(habit.margin(), None);
    }

    #[test]
    fn waits_that_differ_or_are_short_make_none() {
        let (differ, short) = (Habit::new(), Habit::new());
        for count in 0..100 {
            differ.learn(if count % 2 == 0 { 36_000_000 } else { 44_000_000 });
            short.learn(LEAST_WAIT_NANOSECONDS / 2);
        }
        assert_eq!((differ.margin(), short.margin()), (None, None));
    }
}
