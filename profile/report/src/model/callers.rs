//! From where regions were entered: the call paths above them, with the lines of the calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::lines::{self, LineTime};
use super::sums::add;
use crate::join::{LabelKind, NodeId, PlacesId, StackTree};
use crate::maps::HashMap;

/// A frame above a region.
#[derive(Clone, Debug)]
pub struct CallerFrame {
    /// As it is shown.
    pub name: Rc<str>,
    /// What the frame is.
    pub kind: LabelKind,
    /// The lines that it called from on the way to the region, the longest first; a few only.
    pub lines: Vec<LineTime>,
}

/// One call path above a region.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Outermost first. Of a long path the outermost one and the innermost of the others.
    pub frames: Vec<CallerFrame>,
    /// Frames behind the outermost one that were left out.
    pub left_out: usize,
    /// Time of the region's samples that came this way, ns.
    pub time: u64,
}

/// Frames that are kept of a path.
const MOST_FRAMES: usize = 7;
/// Paths that are kept of a region.
const MOST_PATHS: usize = 20;

/// The callers of regions by the regions' labels, the one with the most time first.
pub(super) fn of_regions(
    stacks: &StackTree,
    stack_times: &[(NodeId, u64)],
    place_times: &HashMap<PlacesId, u64>,
) -> HashMap<Rc<str>, Vec<Caller>> {
    let mut nodes: HashMap<Rc<str>, Vec<(NodeId, u64)>> = HashMap::default();
    for (region, time) in times(stacks, stack_times) {
        nodes.entry(stacks.label_of(region).text.clone()).or_default().push((region, time));
    }
    for nodes in nodes.values_mut() {
        nodes.sort_by_key(|&(node, time)| (std::cmp::Reverse(time), node));
        nodes.truncate(MOST_PATHS);
    }
    let kept: HashMap<NodeId, Vec<NodeId>> =
        nodes.values().flatten().map(|&(region, _)| (region, above(stacks, region))).collect();
    let mut lines = lines::above_regions(stacks, place_times, &kept);
    let mut caller = |&(region, time): &(NodeId, u64)| {
        let path = &kept[&region];
        let frame = |&at: &NodeId| {
            let label = stacks.label_of(at);
            let lines = lines.remove(&(region, at)).unwrap_or_default();
            CallerFrame { name: label.text.clone(), kind: label.kind, lines }
        };
        let frames: Vec<CallerFrame> = path.iter().map(frame).collect();
        let depth = std::iter::successors(Some(stacks.parent(region)), |&at| {
            (at != NodeId::ROOT).then(|| stacks.parent(at))
        });
        let left_out = (depth.count() - 1).saturating_sub(frames.len());
        Caller { frames, left_out, time }
    };
    nodes
        .iter()
        .map(|(label, nodes)| (label.clone(), nodes.iter().map(&mut caller).collect()))
        .collect()
}

/// The time of each node that is a region's.
fn times(stacks: &StackTree, stack_times: &[(NodeId, u64)]) -> BTreeMap<NodeId, u64> {
    let mut times: BTreeMap<NodeId, u64> = BTreeMap::new();
    for &(node, time) in stack_times {
        let mut at = node;
        while at != NodeId::ROOT {
            if stacks.label_of(at).kind == LabelKind::Region {
                add(times.entry(at).or_default(), time);
            }
            at = stacks.parent(at);
        }
    }
    times
}

/// The nodes above a region that are kept, the outermost first.
fn above(stacks: &StackTree, region: NodeId) -> Vec<NodeId> {
    let mut path = Vec::new();
    let mut at = stacks.parent(region);
    while at != NodeId::ROOT {
        // In the last place whatever is the outermost so far.
        path.truncate(MOST_FRAMES - 1);
        path.push(at);
        at = stacks.parent(at);
    }
    path.reverse();
    path
}
