//! Time in which threads at work had no processor.
//!
//! A sample stands for the time since the thread's last one, whether the thread had a processor
//! meanwhile or not: on a busy machine that would make the code hot that others keep from running.
//! So what threads waited for a processor is set apart, as the samples' records say it.

use std::collections::HashMap;

use super::sums::add;
use super::within::part;
use crate::recording::Recording;
use crate::samples::Taken;

/// See the module: all threads, while samples are taken in the order of their times.
#[derive(Debug, Default)]
pub(super) struct Queued {
    threads: HashMap<u32, Of>,
}

/// One thread.
#[derive(Debug)]
struct Of {
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
    fn of(&mut self, recording: &Recording, thread: u32) -> &mut Of {
        let begin = || recording.threads.get(&thread).and_then(|info| info.begin).unwrap_or(0);
        self.threads.entry(thread).or_insert_with(|| Of { last: begin(), owed: 0, rest: 0 })
    }

    /// A sample in a wait, which lasted for `wait`, ns: what its thread waited for a processor
    /// meanwhile belongs to the wait, and what was before it to the next sample at work.
    pub(super) fn waited(&mut self, recording: &Recording, taken: &Taken, wait: u64) {
        let of = self.of(recording, taken.sample.thread);
        let since = taken.sample.time.saturating_sub(of.last);
        of.last = taken.sample.time;
        add(&mut of.owed, part(taken.queued, (since.saturating_sub(wait), since)));
    }

    /// A sample at work that stands for at most `time` without a processor, ns.
    pub(super) fn worked(&mut self, recording: &Recording, taken: &Taken, time: u64) -> Without {
        let period = recording.period();
        let of = self.of(recording, taken.sample.thread);
        of.last = taken.sample.time;
        add(&mut of.owed, taken.queued);
        let time = time.min(of.owed);
        of.owed -= time;
        add(&mut of.rest, time);
        let periods = (of.rest / period).min(u64::from(taken.sample.weight));
        of.rest -= periods * period;
        Without { time, periods: periods as u32 }
    }
}
