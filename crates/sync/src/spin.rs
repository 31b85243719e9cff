//! How long to spin before sleeping.
//!
//! Spinning pays while the awaited thread runs on another processor and is about to act; it harms
//! when that thread waits for this processor. A budget is a number of time-stamp cycles, chosen by
//! the caller for the team it waits in; 0 means to sleep at once.

use core::arch::x86_64::_rdtsc;

/// One wait's spinning: call [`Spin::again`] until it says no, then sleep.
pub struct Spin {
    budget: u64,
    start: u64,
    rounds: u32,
}

impl Spin {
    /// A spin of at most `budget` time-stamp cycles.
    #[inline(always)]
    pub fn new(budget: u64) -> Spin {
        Spin { budget, start: 0, rounds: 0 }
    }

    /// Time-stamp cycles since the wait began, 0 if it was too short to have looked at the clock.
    #[inline(always)]
    pub fn elapsed(&self) -> u64 {
        if self.start == 0 {
            return 0;
        }
        // SAFETY: every x86-64 processor has a time-stamp counter.
        unsafe { _rdtsc() }.wrapping_sub(self.start)
    }

    /// Pauses once. False when the budget is used up. The clock is only read every few rounds.
    #[inline(always)]
    pub fn again(&mut self) -> bool {
        self.rounds += 1;
        core::hint::spin_loop();
        if self.rounds & 15 != 0 {
            return self.budget != 0;
        }
        // SAFETY: every x86-64 processor has a time-stamp counter.
        let now = unsafe { _rdtsc() };
        if self.start == 0 {
            self.start = now;
        }
        now.wrapping_sub(self.start) < self.budget
    }
}
