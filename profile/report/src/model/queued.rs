//! Time in which threads at work had no processor.
//!
//! A sample stands for the time since the thread's last one, whether the thread had a processor
//! meanwhile or not: on a busy machine that would make the code hot that others keep from running.
//! So what threads waited for a processor is set apart, as the samples' records say it.

use super::sums::add;
use super::within::part;
use crate::recording::Recording;
use crate::samples::Taken;

/// See the module: one thread, while its samples are taken in the order of their times.
#[derive(Debug)]
pub(super) struct Queued {
    /// When its last sample was.
    last: u64,
    /// What it waited at its work and no sample has yet, ns.
    owed: u64,
    /// What is left over of whole periods, ns.
    rest: u64,
}

/// Of what a sample stands for: without a processor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Without {
    /// ns.
    pub(super) time: u64,
    /// Periods.
    pub(super) periods: u32,
}

impl Queued {
    /// Before the first sample of a thread.
    pub(super) fn of(recording: &Recording, thread: u32) -> Queued {
        let begin = recording.threads.get(&thread).and_then(|info| info.begin);
        Queued { last: begin.unwrap_or(0), owed: 0, rest: 0 }
    }

    /// A sample in a wait, which lasted for `wait`, ns: what its thread waited for a processor
    /// meanwhile belongs to the wait, and what was before it to the next sample at work.
    pub(super) fn waited(&mut self, taken: &Taken, wait: u64) {
        let since = taken.sample.time.saturating_sub(self.last);
        self.last = taken.sample.time;
        add(&mut self.owed, part(taken.queued, (since.saturating_sub(wait), since)));
    }

    /// A sample at work that stands for at most `time` without a processor, ns.
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
