//! How long to spin before sleeping.
//!
//! Spinning pays while the awaited thread runs on another processor and is about to act; it harms
//! when that thread waits for this processor. A budget is a number of time-stamp cycles, chosen by
//! the caller for the team it waits in; 0 means to sleep at once. A polite wait
//! ([`Spin::again_politely`]) gives the processor away now and then, in case it is the one wanted.

use core::arch::x86_64::_rdtsc;

/// One wait's spinning: call [`Spin::again`] until it says no, then sleep.
pub struct Spin {
    budget: u64,
    start: u64,
    next_way: u64,
    rounds: u32,
}

/// Time-stamp cycles that a polite wait keeps the processor to itself: longer than a wait for a
/// thread that runs, shorter than anybody notices when it does not (a thread that was just made often
/// waits for the processor of who made it).
const ALONE: u64 = 10_000;
/// And between two times that it gives it away.
const BETWEEN: u64 = 50_000;

impl Spin {
    /// A spin of at most `budget` time-stamp cycles.
    #[inline(always)]
    pub fn new(budget: u64) -> Spin {
        Spin { budget, start: 0, next_way: 0, rounds: 0 }
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

    /// As [`Spin::again`]; a wait that lasts gives the processor away every now and then, because
    /// the thread that is waited for may want just this one. On an idle machine that costs a system
    /// call every 20 microseconds, on a busy one it is what lets the other thread run.
    #[inline(always)]
    pub fn again_politely(&mut self) -> bool {
        let again = self.again();
        if again && self.rounds & 255 == 0 {
            self.give_way_at_times();
        }
        again
    }

    #[cold]
    fn give_way_at_times(&mut self) {
        // SAFETY: as above.
        let now = unsafe { _rdtsc() };
        if self.next_way == 0 {
            self.next_way = self.start + ALONE;
        }
        if now > self.next_way {
            omphalos_sys::thread::give_way();
            self.next_way = now + BETWEEN;
        }
    }
}
