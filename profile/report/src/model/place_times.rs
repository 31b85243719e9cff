//! Sums the time of samples by their places in the user's model: by nodes of the call tree, by
//! lines, by code. One thread after the other: a sample's share of a class of time (`shares.rs`) is
//! another one in each thread.

use super::Place;
use super::code::Spots;
use super::queued::Queued;
use super::rows::HotLine;
use super::sampled_times::SampledTimes;
use super::shares::{Class, Shares, Sums};
use super::split::Split;
use crate::join::{Joiner, LeafId, NodeId, PlacesId};
use crate::maps::HashMap;
use crate::ompt::Activity;
use crate::recording::Recording;
use crate::symbols::Symbols;

/// Times, ns, by the key of each sum.
#[derive(Default)]
pub(super) struct PlaceTimes {
    /// By node of the call tree.
    pub(super) nodes: Sums<NodeId>,
    /// The same for work outside any region.
    pub(super) serial_nodes: Sums<NodeId>,
    /// By the lines along the stack of those nodes.
    pub(super) serial_places: Sums<PlacesId>,
    /// The same two for sleep in calls outside any region.
    pub(super) blocked_nodes: Sums<NodeId>,
    pub(super) blocked_places: Sums<PlacesId>,
    /// By the lines along the stack.
    pub(super) places: Sums<PlacesId>,
    /// By the line that was running.
    pub(super) lines: Sums<LeafId>,
    /// The same for work outside any region.
    pub(super) serial_lines: Sums<LeafId>,
    /// By the innermost code.
    pub(super) spots: Spots,
}

impl PlaceTimes {
    /// Sums the times of all samples. A sample that was mostly blocked counts as asleep in its call
    /// from its region's begin on.
    pub(super) fn of(
        (recording, symbols): (&Recording, &Symbols),
        joiner: &mut Joiner<'_>,
        sampled: &mut SampledTimes,
        shares: &Shares,
    ) -> PlaceTimes {
        let mut times = PlaceTimes::default();
        let SampledTimes { joined, by_thread, .. } = sampled;
        for (thread, numbers) in by_thread.iter() {
            let mut waits = Queued::of(recording, thread);
            for &number in numbers {
                let place = &mut joined[number as usize];
                times.take((recording, symbols), joiner, &mut waits, (number, place));
            }
            times.end_thread(thread, shares);
        }
        times
    }

    fn take(
        &mut self,
        (recording, symbols): (&Recording, &Symbols),
        joiner: &mut Joiner<'_>,
        waits: &mut Queued,
        (number, place): (u32, &mut Place),
    ) {
        let taken = &recording.samples.get(number);
        let Place { node, places, leaf, activity } = *place;
        let Split { class, time, before, queued, blocked, is_mostly_blocked, .. } =
            Split::of(recording, waits, taken, activity);
        if queued > 0 {
            self.nodes.add(joiner.without_cpu(), Class::Queued, queued);
        }
        if before > 0 {
            let not_sampled = joiner.not_sampled();
            self.nodes.add(not_sampled, Class::Serial, before);
            self.serial_nodes.add(not_sampled, Class::Serial, before);
        }
        self.nodes.add(node, class, time);
        self.places.add(places, class, time);
        self.spots.add((recording, symbols), taken, activity, time);
        let is_serial = activity == Activity::Serial && taken.sample.region == 0;
        if is_serial {
            self.serial_nodes.add(node, class, time);
            self.serial_places.add(places, class, time);
        }
        if let Some(leaf) = leaf.filter(|_| activity.is_work()) {
            if is_serial {
                self.serial_lines.add(leaf, class, time);
            }
            self.lines.add(leaf, class, time);
        }
        if let Some((call, time)) = blocked {
            let asleep = joiner.blocked_in(node, call);
            let class = Class::Blocked;
            self.spots.add((recording, symbols), taken, Activity::Blocked, time);
            self.nodes.add(asleep, class, time);
            self.places.add(places, class, time);
            if is_serial {
                self.blocked_nodes.add(asleep, class, time);
                self.blocked_places.add(places, class, time);
            }
            if is_mostly_blocked {
                (place.node, place.activity) = (asleep, Activity::Blocked);
            }
        }
    }

    fn end_thread(&mut self, thread: u32, shares: &Shares) {
        for nodes in [&mut self.nodes, &mut self.serial_nodes, &mut self.blocked_nodes] {
            nodes.end_thread(thread, shares);
        }
        for places in [&mut self.places, &mut self.serial_places, &mut self.blocked_places] {
            places.end_thread(thread, shares);
        }
        self.lines.end_thread(thread, shares);
        self.serial_lines.end_thread(thread, shares);
        self.spots.times.end_thread(thread, shares);
    }
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
