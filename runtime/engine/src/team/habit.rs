//! Predicts when a worker's next order is due, from the length of its earlier waits.
//!
//! If a program works serially for longer than a wait spins, its workers sleep when the next region
//! begins. Waking one takes 40 to 90 microseconds where its processor has gone to sleep. Many such
//! programs repeat themselves: each time step has its serial part. So a worker whose waits were all
//! about equally long sleeps early, wakes shortly before the order is due, and spins for it.
//!
//! What must hold: in one wait a worker never spins longer than without a habit. If the order comes
//! at another time than expected, the worker costs one wake-up, as any sleeper does. One wait of
//! another length changes nothing, because the next wait is mostly as usual again; two such waits
//! in a row end the habit.
//!
//! A habit pays in a program whose regions come every 20 ms (rows `wake_20ms` of the bench: time
//! and processor time), also where one part in eight is short (`wake_mostly20ms`). It could hurt a
//! program whose serial parts change their length for good: the first two regions after the change
//! find the worker asleep, 50 microseconds each.
use crate::records::{LATE_NANOSECONDS, Thread};
use core::time::Duration;
use omphalos_settings::settings;
use omphalos_sync::spin::Spin;

/// The time-stamp cycles that each wait for an order spins first. A wait that ends earlier does not
/// count for a habit.
const SHORT_WAIT_CYCLES: u64 = 500_000;
/// Time-stamp cycles in two nanoseconds, roughly.
const CYCLES_IN_TWO_NANOSECONDS: u64 = 5;

/// A worker's wait for its next order. The worker asks [`next_step`](OrderWait::next_step) what to
/// do until there is one.
pub struct OrderWait<'a> {
    thread: &'a Thread,
    spin: Spin<'a>,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    /// The wait may still be a short one.
    Begun,
    /// The thread spins for the rest of its time, and then sleeps.
    Spinning,
    /// The thread slept until shortly before the expected time.
    Napped,
}

/// The next step of the waiting thread.
pub enum Next {
    /// The thread looks again.
    Look,
    /// The thread sleeps, for no longer than this.
    Sleep(Option<Duration>),
}

impl<'a> OrderWait<'a> {
    /// Begins a wait. `busy`: the number of threads that worked at once in the worker's latest
    /// region.
    #[inline(always)]
    pub fn begin(thread: &'a Thread, busy: u32) -> OrderWait<'a> {
        let settings = settings();
        let spin = settings.wait(busy, &thread.sharing);
        // If the user says how long to spin, the worker does just that.
        let (spin, stage) = if settings.spins_as_usual(busy) {
            (spin.at_most(SHORT_WAIT_CYCLES), Stage::Begun)
        } else {
            (spin, Stage::Spinning)
        };
        OrderWait { thread, spin, stage }
    }

    /// Returns the next step of the wait. Pauses once if that is to look again.
    #[inline(always)]
    pub fn next_step(&mut self) -> Next {
        if self.spin.again_politely() { Next::Look } else { self.go_on() }
    }

    #[cold]
    #[inline(never)]
    fn go_on(&mut self) -> Next {
        let habit = &self.thread.habit;
        match self.stage {
            Stage::Begun => {
                habit.since.set(self.thread.as_owner(), omphalos_sys::clock::nanoseconds());
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
            margin * CYCLES_IN_TWO_NANOSECONDS,
            settings().processors.known(),
            &self.thread.sharing,
        );
        self.stage = Stage::Spinning;
        Next::Look
    }

    /// Ends the wait, because the order has come.
    #[inline(always)]
    pub fn over(&self) {
        if self.thread.habit.since.get() != 0 {
            self.thread.habit.long_one_over(self.thread.as_owner());
        }
    }

    /// Ends the wait without an order.
    pub fn given_up(&self) {
        self.thread.habit.since.set(self.thread.as_owner(), 0);
    }
}
