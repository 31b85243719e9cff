//! Which lines of the source the time of each call-tree node was spent at, or called from.

use std::collections::HashMap;
use std::rc::Rc;

use super::rows::add;
use crate::join::{NodeId, PlaceId, PlacesId, StackTree};
use crate::visible::visible;

/// A line of a function on a call path, and the time of the samples that were there or further in.
#[derive(Clone, Debug)]
pub struct LineTime {
    pub file: Rc<str>,
    pub line: u32,
    /// ns.
    pub time: u64,
}

impl LineTime {
    /// `file.c:31`.
    pub fn place(&self) -> String {
        let name = self.file.rsplit('/').next().unwrap_or(&self.file);
        format!("{}:{}", visible(name), self.line)
    }
}

/// Lines of one node that are kept.
const MOST_LINES: usize = 4;

/// The lines of each node, the longest first, out of the times of stacks with the same places.
pub(super) fn by_node(
    stacks: &StackTree,
    times: &HashMap<PlacesId, u64>,
) -> HashMap<NodeId, Vec<LineTime>> {
    let mut sums: HashMap<(NodeId, PlaceId), u64> = HashMap::new();
    let mut innermost: HashMap<NodeId, PlaceId> = HashMap::new();
    for (&places, &time) in times {
        innermost.clear();
        for (node, place) in stacks.places_of(places) {
            innermost.entry(node).or_insert(place);
        }
        for (&node, &place) in &innermost {
            if stacks.place(place).line > 0 {
                add(sums.entry((node, place)).or_default(), time);
            }
        }
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_unstable_by_key(|&((node, place), time)| (node, std::cmp::Reverse(time), place));
    let mut lines: HashMap<NodeId, Vec<LineTime>> = HashMap::new();
    for ((node, place), time) in sums {
        let of_node = lines.entry(node).or_default();
        let place = stacks.place(place);
        if of_node.len() < MOST_LINES
            && let Some(file) = &place.file
        {
            of_node.push(LineTime { file: file.clone(), line: place.line, time });
        }
    }
    lines
}
