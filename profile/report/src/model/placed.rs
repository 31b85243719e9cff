//! The stacks with their times and lines, for other programs: the content of the call tree, divided
//! by the lines that samples found.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::{Analysis, TimedSample};
use crate::join::{LabelKind, NodeId, PlaceId, PlacesId};
use crate::render::firefox::Stretch;
use crate::visible::visible;

/// A frame of a stack, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlacedFrame {
    /// The kind of the frame.
    pub kind: LabelKind,
    /// The frame's text in the report.
    pub text: Rc<str>,
    /// Source file, its path as the compiler recorded it; none if unknown.
    pub file: Option<Rc<str>>,
    /// Line in `file`, of the call where it made one; 0 if unknown.
    pub line: u32,
}

/// The kind of a stack's time, by its innermost frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeKind {
    /// The program's code ran.
    Work,
    /// In the runtime: every wait, idleness and overhead.
    Wait,
    /// Asleep in a call of the program's own.
    Blocked,
    /// Able to run, without a processor.
    WithoutCpu,
    /// Counted by events, without a sample that gives a place.
    NotSampled,
}

impl TimeKind {
    /// All of them.
    pub const ALL: [TimeKind; 5] = [
        TimeKind::Work,
        TimeKind::Wait,
        TimeKind::Blocked,
        TimeKind::WithoutCpu,
        TimeKind::NotSampled,
    ];

    /// Returns the kind for a stack that ends with this frame.
    pub fn of(kind: LabelKind, text: &str) -> TimeKind {
        match kind {
            LabelKind::Runtime => TimeKind::Wait,
            LabelKind::Blocked => TimeKind::Blocked,
            LabelKind::Queued => TimeKind::WithoutCpu,
            LabelKind::System if text == crate::join::NOT_SAMPLED => TimeKind::NotSampled,
            _ => TimeKind::Work,
        }
    }
}

impl Analysis {
    /// Calls `each` with all stacks, outermost frame first, and their times, ns: together the time
    /// of [`Analysis::tree`]. The time of a stack with several lines is divided in proportion to
    /// the samples at each.
    pub fn each_stack(&self, mut each: impl FnMut(&[PlacedFrame], u64)) {
        let mut weights: HashMap<NodeId, BTreeMap<PlacesId, u64>> = HashMap::new();
        for TimedSample { node, places, weight, .. } in self.samples() {
            let of_node = weights.entry(node).or_default();
            *of_node.entry(places).or_default() += u64::from(weight);
        }
        let mut frames = Vec::new();
        for &(node, time) in &self.stack_times {
            let nothing = BTreeMap::from([(PlacesId::NONE, 1)]);
            let of_node = weights.get(&node).unwrap_or(&nothing);
            let all: u64 = of_node.values().sum::<u64>().max(1);
            let (mut seen, mut given) = (0u64, 0u64);
            for (&places, &weight) in of_node {
                // The next part gets what rounding takes from one: all parts add up to the whole.
                seen += weight;
                let upto = (u128::from(time) * u128::from(seen) / u128::from(all)) as u64;
                let own = upto.saturating_sub(given);
                given += own;
                if own > 0 {
                    self.place_frames(node, places, &mut frames);
                    each(&frames, own);
                }
            }
        }
    }

    /// A sample's stack with its lines, outermost frame first.
    pub fn placed_stack(&self, sample: &TimedSample) -> Vec<PlacedFrame> {
        let mut frames = Vec::new();
        self.place_frames(sample.node, sample.places, &mut frames);
        frames
    }

    /// Returns a thread's stretches: what it was in, and what it waited for, by its samples, which
    /// are in the order of their times.
    pub fn stretches(&self, samples: &[TimedSample]) -> Vec<Stretch> {
        crate::render::firefox::stretches(self, samples)
    }

    fn place_frames(&self, node: NodeId, places: PlacesId, frames: &mut Vec<PlacedFrame>) {
        let mut place_of: HashMap<NodeId, PlaceId> = HashMap::new();
        for (node, place) in self.stacks.places_of(places) {
            place_of.entry(node).or_insert(place);
        }
        frames.clear();
        let mut at = node;
        while at != NodeId::ROOT {
            let label = self.stacks.label_of(at);
            let place = place_of.get(&at).map(|place| self.stacks.place(*place));
            let file = place.and_then(|place| place.file.as_deref());
            frames.push(PlacedFrame {
                kind: label.kind,
                text: label.text.clone(),
                file: file.map(|file| visible(file).into()),
                line: place.map_or(0, |place| place.line),
            });
            at = self.stacks.parent(at);
        }
        frames.reverse();
    }
}
