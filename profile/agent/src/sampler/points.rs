//! The moments of a thread's life that its samples stand for.
//!
//! The moments are a period apart, from the thread's begin on. A moment in a wait or call whose
//! begin and end are known belongs to that wait or call; all others belong to the next tick.
//!
//! What must hold: every moment is given away once, so the weights of a thread's samples add up to
//! the periods of its life.

use crate::clock;
use crate::recording;

/// The moments of one thread.
#[derive(Default)]
pub struct Points {
    /// The thread's begin, ticks of the clock.
    begin: u64,
    /// The number of moments given away.
    given: u64,
    /// The time before which no wait or call may take a moment any more, ticks of the clock.
    last: u64,
}

impl Points {
    /// Starts the moments of a thread that begins at `now`.
    pub fn new(now: u64) -> Points {
        Points { begin: now, given: 0, last: now }
    }

    fn passed(&self, at: u64) -> u64 {
        clock::ns(at.saturating_sub(self.begin)) / recording::period().max(1)
    }

    /// Returns the time up to which moments were given away in order, ticks of the clock.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Returns when the first moment after `now` comes, ticks of the clock.
    pub fn next(&self, now: u64) -> u64 {
        let periods = self.passed(now) + 1;
        self.begin + clock::in_ticks(periods.saturating_mul(recording::period()))
    }

    /// Takes the moments up to `now` that nothing else took; returns their number.
    pub fn take_rest(&mut self, now: u64) -> u32 {
        let rest = self.passed(now).saturating_sub(self.given);
        self.given += rest;
        self.last = self.last.max(now);
        u32::try_from(rest).unwrap_or(u32::MAX)
    }

    /// Takes the moments from `begin` to `end` that are not given away yet; returns their number.
    pub fn take(&mut self, begin: u64, end: u64) -> u32 {
        let from = begin.max(self.last);
        let rest = self.passed(end).saturating_sub(self.given);
        let part = self.passed(end).saturating_sub(self.passed(from)).min(rest);
        self.given += part;
        self.last = self.last.max(end);
        u32::try_from(part).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_is_given_away_once() {
        // Quarters of a period, in ticks: other tests of the process may have started the clock.
        let at = |quarters: u64| clock::in_ticks(quarters * recording::period() / 4);
        let begin = at(28);
        let mut points = Points::new(begin);
        assert!(points.next(begin) > begin && points.next(begin) <= begin + at(4));
        // Work up to 9.5, a call up to 12.5, which a look from outside sees at 11.25.
        assert_eq!(points.take(at(38), at(45)), 2);
        assert_eq!(points.take(at(38), at(50)), 1);
        // The tick gets the moments before and since.
        assert_eq!(points.take_rest(at(53)), 3);
        assert_eq!(points.take_rest(at(53)), 0);
        assert_eq!(points.take(at(42), at(53)), 0);
        assert_eq!(points.take(at(53), at(57)), 1);
    }
}
