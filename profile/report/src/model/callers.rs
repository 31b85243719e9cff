//! The call paths that lead to regions, with the lines of the calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::lines::{self, LineTime};
use super::sums::add;
use crate::join::{LabelKind, NodeId, PlacesId, StackTree};
use crate::maps::HashMap;

/// A frame above a region.
#[derive(Clone, Debug)]
pub struct CallerFrame {
    /// Its name in the report.
    pub name: Rc<str>,
    /// The kind of the frame.
    pub kind: LabelKind,
    /// The lines of its calls on the way to the region, the longest first; a few only.
    pub lines: Vec<LineTime>,
}

/// One call path above a region.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Outermost first. A long path has only its outermost frame and the innermost others.
    pub frames: Vec<CallerFrame>,
    /// How many frames after the outermost one were left out.
    pub left_out: usize,
    /// Time of the region's samples that came this way, ns.
    pub time: u64,
}

/// The most frames of a path that are kept.
const MOST_FRAMES: usize = 7;
/// The most paths of a region that are kept.
const MOST_PATHS: usize = 20;

/// Returns the callers of regions by the regions' labels, the one with the most time first.
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

/// Returns the time of each region's node.
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

/// Returns the kept nodes above a region, the outermost first.
fn above(stacks: &StackTree, region: NodeId) -> Vec<NodeId> {
    let mut path = Vec::new();
    let mut at = stacks.parent(region);
    while at != NodeId::ROOT {
        // The last place has the outermost node so far.
        path.truncate(MOST_FRAMES - 1);
        path.push(at);
        at = stacks.parent(at);
    }
    path.reverse();
    path
}
