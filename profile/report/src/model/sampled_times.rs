//! Joins each sample to the user's model, and gives the time that it stands for to its thread's
//! class.

use super::Place;
use super::queued::Queued;
use super::shares::{Class, Sampled};
use super::split::Split;
use super::within::Within;
use crate::Progress;
use crate::join::{Joined, Joiner};
use crate::maps::HashMap;
use crate::ompt::Activity;
use crate::recording::Recording;
use crate::samples::ByThread;

/// The results of all samples; see the module.
#[derive(Default)]
pub(super) struct SampledTimes {
    pub(super) sampled: Sampled,
    /// The runtime's part of the time that counts as work.
    pub(super) within: Within,
    /// The result for each sample, in order.
    pub(super) joined: Vec<Place>,
    /// Periods at work without a CPU, by the samples' numbers.
    pub(super) queued: HashMap<u32, u32>,
    pub(super) by_thread: ByThread,
}

impl SampledTimes {
    /// Joins all samples.
    pub(super) fn of(
        recording: &Recording,
        joiner: &mut Joiner<'_>,
        progress: &mut dyn Progress,
    ) -> SampledTimes {
        let samples = &recording.samples;
        let mut joined = Vec::with_capacity(samples.len());
        progress.begin("joining stacks", samples.len() as u64);
        for (i, taken) in samples.iter().enumerate() {
            let Joined { node, places, leaf, activity } = joiner.join(&taken);
            joined.push(Place { node, places, leaf, activity });
            if i % 1024 == 0 {
                progress.advance(i as u64);
            }
        }
        progress.end();
        let by_thread = samples.by_thread();
        let mut times = SampledTimes { joined, ..SampledTimes::default() };
        for (thread, numbers) in by_thread.iter() {
            let mut waits = Queued::of(recording, thread);
            for &number in numbers {
                times.count(recording, &mut waits, number);
            }
        }
        times.by_thread = by_thread;
        times
    }

    fn count(&mut self, recording: &Recording, waits: &mut Queued, number: u32) {
        let taken = recording.samples.get(number);
        let activity = self.joined[number as usize].activity;
        let split = Split::of(recording, waits, &taken, activity);
        let thread = taken.sample.thread;
        if split.periods > 0 {
            self.queued.insert(number, split.periods);
        }
        if activity != Activity::Mpi {
            self.within.add(recording, &taken.sample, activity, split.time);
        }
        for (class, time) in [
            (Class::Queued, split.queued),
            (Class::Serial, split.before),
            (split.class, split.time),
            (Class::Blocked, split.blocked.map_or(0, |(_, time)| time)),
        ] {
            self.sampled.add(thread, class, time);
        }
    }
}
