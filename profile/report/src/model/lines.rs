//! The source lines where the time of each call-tree node was spent, or from which it called.

use std::hash::Hash;
use std::rc::Rc;

use super::sums::add;
use crate::join::{NodeId, PlaceId, PlacesId, StackTree};
use crate::maps::HashMap;
use crate::visible::visible;

/// A line of a function on a call path, and the time of the samples that were there or further in.
#[derive(Clone, Debug)]
pub struct LineTime {
    /// Source file, its path as the compiler recorded it.
    pub file: Rc<str>,
    /// Line in the file, from 1.
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

/// The most lines of one node that are kept.
const MOST_LINES: usize = 4;

/// Returns the lines of each node, the longest first, from the times of stacks with the same
/// places.
pub(super) fn by_node(
    stacks: &StackTree,
    times: &HashMap<PlacesId, u64>,
) -> HashMap<NodeId, Vec<LineTime>> {
    let mut sums = HashMap::default();
    for_each_stack(stacks, times, |innermost, time| {
        for (&node, &place) in innermost {
            note(stacks, &mut sums, node, place, time);
        }
    });
    longest_first(stacks, sums)
}

/// Returns the lines of the nodes above a region, for the stacks in that region: by the region's
/// node and the node above it. `paths`: the regions' nodes, and the nodes above each.
pub(super) fn above_regions(
    stacks: &StackTree,
    times: &HashMap<PlacesId, u64>,
    paths: &HashMap<NodeId, Vec<NodeId>>,
) -> HashMap<(NodeId, NodeId), Vec<LineTime>> {
    let mut sums = HashMap::default();
    for_each_stack(stacks, times, |innermost, time| {
        for &region in innermost.keys() {
            for &at in paths.get(&region).into_iter().flatten() {
                if let Some(&place) = innermost.get(&at) {
                    note(stacks, &mut sums, (region, at), place, time);
                }
            }
        }
    });
    longest_first(stacks, sums)
}

/// Calls `each` for each stack: with the innermost place of each of its nodes, and with its time.
fn for_each_stack(
    stacks: &StackTree,
    times: &HashMap<PlacesId, u64>,
    mut each: impl FnMut(&HashMap<NodeId, PlaceId>, u64),
) {
    let mut innermost: HashMap<NodeId, PlaceId> = HashMap::default();
    for (&places, &time) in times {
        innermost.clear();
        for (node, place) in stacks.places_of(places) {
            innermost.entry(node).or_insert(place);
        }
        each(&innermost, time);
    }
}

fn note<K: Hash + Eq>(
    stacks: &StackTree,
    sums: &mut HashMap<(K, PlaceId), u64>,
    key: K,
    place: PlaceId,
    time: u64,
) {
    if stacks.place(place).line > 0 {
        add(sums.entry((key, place)).or_default(), time);
    }
}

fn longest_first<K: Copy + Hash + Ord>(
    stacks: &StackTree,
    sums: HashMap<(K, PlaceId), u64>,
) -> HashMap<K, Vec<LineTime>> {
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_unstable_by_key(|&((key, place), time)| (key, std::cmp::Reverse(time), place));
    let mut lines: HashMap<K, Vec<LineTime>> = HashMap::default();
    for ((key, place), time) in sums {
        let of_key = lines.entry(key).or_default();
        let place = stacks.place(place);
        if of_key.len() < MOST_LINES
            && let Some(file) = &place.file
        {
            of_key.push(LineTime { file: file.clone(), line: place.line, time });
        }
    }
    lines
}
