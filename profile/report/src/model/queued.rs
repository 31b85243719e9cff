//! Time in which threads at work had no processor.
//!
//! A sample stands for the time since the thread's last one, whether or not the thread had a
//! processor meanwhile. So on a busy machine, code that others keep from running would look hot.
//! Therefore the threads' waits for a processor, from the samples' records, are set apart.

use super::sums::add;
use super::within::part;
use crate::recording::Recording;
use crate::samples::Taken;

/// The waits of one thread, whose samples are taken in the order of their times; see the module.
#[derive(Debug)]
pub(super) struct Queued {
    /// The time of its last sample.
    last: u64,
    /// The waits at its work that no sample has yet, ns.
    owed: u64,
    /// The rest beyond whole periods, ns.
    rest: u64,
}

/// The part of a sample's time without a processor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Without {
    /// ns.
    pub(super) time: u64,
    /// Periods.
    pub(super) periods: u32,
}

impl Queued {
    /// Makes the state before the first sample of a thread.
    pub(super) fn of(recording: &Recording, thread: u32) -> Queued {
        let begin = recording.threads.get(&thread).and_then(|info| info.begin);
        Queued { last: begin.unwrap_or(0), owed: 0, rest: 0 }
    }

    /// Takes a sample in a wait, which lasted for `wait`, ns. The thread's waits for a processor
    /// during it belong to the wait; those before it belong to the next sample at work.
    pub(super) fn waited(&mut self, taken: &Taken, wait: u64) {
        let since = taken.sample.time.saturating_sub(self.last);
        self.last = taken.sample.time;
        add(&mut self.owed, part(taken.queued, (since.saturating_sub(wait), since)));
    }

    /// Takes a sample at work, which stands for at most `time` without a processor, ns.
    pub(super) fn worked(&mut self, recording: &Recording, taken: &Taken, time: u64) -> Without {
        let period = recording.period();
        self.last = taken.sample.time;
        add(&mut self.owed, taken.queued);
        let time = time.min(self.owed);
        self.owed -= time;
        add(&mut self.rest, time);
        let periods = (self.rest / period).min(u64::from(taken.sample.weight));
        self.rest -= periods * period;
        Without { time, periods: periods as u32 }
    }
}
