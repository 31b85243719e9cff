//! What the samples say: each is joined to the user's model, and the time that it stands for goes
//! to its place in the tree, to its line and to its thread's class.

use std::collections::HashMap;

use omphalos_profile_format::Sample;

use super::Place;
use super::code::Spots;
use super::queued::{Queued, Without};
use super::rows::HotLine;
use super::shares::{Class, Parts, Sampled};
use super::sums::add;
use super::within::{Within, part};
use crate::Progress;
use crate::join::{Joined, Joiner, LeafId, NodeId, PlacesId};
use crate::ompt::Activity;
use crate::recording::Recording;
use crate::samples::Taken;
use crate::symbols::Symbols;

/// Ticks of the slowest kernels, ns: a sample that stands for less stands for its like, as where
/// regions are short and follow each other.
const WHILE: u64 = 20_000_000;

/// Times from samples, ns, by what they are summed for, by thread and class.
#[derive(Default)]
pub(super) struct SampledTimes {
    /// By node of the call tree.
    pub(super) nodes: Parts<NodeId>,
    /// The same of work outside any region.
    pub(super) serial_nodes: Parts<NodeId>,
    /// By the lines along the stack of those nodes.
    pub(super) serial_places: Parts<PlacesId>,
    /// Both of what is asleep in calls outside any region.
    pub(super) blocked_nodes: Parts<NodeId>,
    pub(super) blocked_places: Parts<PlacesId>,
    /// By the lines along the stack.
    pub(super) places: Parts<PlacesId>,
    /// By the line that was running.
    pub(super) lines: Parts<LeafId>,
    /// The same of work outside any region.
    pub(super) serial_lines: Parts<LeafId>,
    /// By the code that was innermost.
    pub(super) spots: Spots,
    /// By nothing else.
    pub(super) sampled: Sampled,
    /// How much of what counts as work the runtime had.
    pub(super) within: Within,
    /// What became of each sample, in their order.
    pub(super) joined: Vec<Place>,
    /// Periods at work without a CPU, by the samples' numbers.
    pub(super) queued: HashMap<u32, u32>,
    waits: Queued,
}

impl SampledTimes {
    /// Joins all samples.
    pub(super) fn of(
        recording: &Recording,
        symbols: &Symbols,
        joiner: &mut Joiner<'_>,
        progress: &mut dyn Progress,
    ) -> SampledTimes {
        let joined = Vec::with_capacity(recording.samples.len());
        let mut times = SampledTimes { joined, ..SampledTimes::default() };
        progress.begin("joining stacks", recording.samples.len() as u64);
        for (i, taken) in recording.samples.iter().enumerate() {
            let place = times.take((recording, symbols), joiner, &taken);
            times.joined.push(place);
            if i % 1024 == 0 {
                progress.advance(i as u64);
            }
        }
        progress.end();
        times
    }

    fn take(
        &mut self,
        (recording, symbols): (&Recording, &Symbols),
        joiner: &mut Joiner<'_>,
        taken: &Taken,
    ) -> Place {
        let Joined { mut node, places, leaf, mut activity } = joiner.join(taken);
        let sample = &taken.sample;
        let thread = sample.thread;
        let mut whole = recording.period().saturating_mul(u64::from(sample.weight.max(1)));
        // The first sample in a long while says nothing of what was before its region.
        let before = before_fork(recording, sample, whole).filter(|before| *before > WHILE);
        let before = before.unwrap_or(0);
        whole -= before;
        let blocked = taken.blocked.filter(|_| activity.is_work());
        let blocked_time = blocked.map_or(0, |(_, time)| time.min(whole));
        let time = whole - blocked_time;
        let class = Class::of(activity);
        let without = match activity.is_work() || activity == Activity::Overhead {
            true => self.waits.worked(recording, taken, before + time),
            false => {
                self.waits.waited(recording, taken, whole);
                Without::default()
            }
        };
        let lost_before = part(without.time, (before, before + time));
        let lost = (without.time - lost_before).min(time);
        if without.time > 0 {
            let key = (joiner.without_cpu(), thread, Class::Queued);
            add(self.nodes.entry(key).or_default(), lost + lost_before);
            self.sampled.add(thread, Class::Queued, lost + lost_before);
        }
        if before > 0 {
            let key = (joiner.not_sampled(), thread, Class::Serial);
            add(self.nodes.entry(key).or_default(), before - lost_before);
            add(self.serial_nodes.entry(key).or_default(), before - lost_before);
            self.sampled.add(thread, Class::Serial, before - lost_before);
        }
        if without.periods > 0 {
            self.queued.insert(self.joined.len() as u32, without.periods);
        }
        // What code is said to take is the time that it ran.
        let time = time - lost;
        self.within.add(recording, sample, activity, time);
        self.sampled.add(thread, class, time);
        add(self.nodes.entry((node, thread, class)).or_default(), time);
        add(self.places.entry((places, thread, class)).or_default(), time);
        self.spots.add((recording, symbols), taken, activity, time);
        let serial = activity == Activity::Serial && sample.region == 0;
        if serial {
            add(self.serial_nodes.entry((node, thread, class)).or_default(), time);
            add(self.serial_places.entry((places, thread, class)).or_default(), time);
        }
        if let Some(leaf) = leaf.filter(|_| activity.is_work()) {
            if serial {
                add(self.serial_lines.entry((leaf, thread, class)).or_default(), time);
            }
            add(self.lines.entry((leaf, thread, class)).or_default(), time);
        }
        if let Some((call, _)) = blocked {
            let asleep = joiner.blocked_in(node, call);
            let class = Class::Blocked;
            self.spots.add((recording, symbols), taken, Activity::Blocked, blocked_time);
            add(self.nodes.entry((asleep, thread, class)).or_default(), blocked_time);
            add(self.places.entry((places, thread, class)).or_default(), blocked_time);
            if serial {
                add(self.blocked_nodes.entry((asleep, thread, class)).or_default(), blocked_time);
                add(self.blocked_places.entry((places, thread, class)).or_default(), blocked_time);
            }
            self.sampled.add(thread, class, blocked_time);
            if blocked_time > time + lost {
                (node, activity) = (asleep, Activity::Blocked);
            }
        }
        Place { node, places, activity }
    }
}

/// What part of a sample's time was before the outermost region that its thread forked, ns.
fn before_fork(recording: &Recording, sample: &Sample, whole: u64) -> Option<u64> {
    let (fork, _) = recording.forks.get(&sample.region)?;
    let own = fork.thread == sample.thread && fork.parent == 0;
    let inside = sample.time.checked_sub(fork.time).filter(|_| own)?;
    Some(whole.saturating_sub(inside))
}

/// Lines with their times, the hottest first.
pub(super) fn sorted_lines(joiner: &Joiner<'_>, lines: HashMap<LeafId, u64>) -> Vec<HotLine> {
    let mut lines: Vec<HotLine> = lines
        .into_iter()
        .map(|(id, time)| {
            let leaf = joiner.leaf(id).clone();
            HotLine { function: leaf.function, file: leaf.file, line: leaf.line, time }
        })
        .collect();
    lines.sort_by(|a, b| {
        let key = |line: &HotLine| (line.function.clone(), line.line);
        b.time.cmp(&a.time).then_with(|| key(a).cmp(&key(b)))
    });
    lines
}
