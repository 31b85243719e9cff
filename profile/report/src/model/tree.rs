//! The call tree of user-model stacks, with time.

use std::rc::Rc;

use super::lines::LineTime;
use super::sums::add;
use crate::join::{LabelKind, NodeId, StackTree};
use crate::maps::HashMap;

/// A node of the call tree; children are sorted, the heaviest first.
#[derive(Clone, Debug)]
pub struct CallNode {
    /// The kind of the frame.
    pub kind: LabelKind,
    /// The frame's text in the report: a function's name, a construct's label; empty for the root.
    pub text: Rc<str>,
    /// Time of this node and all below it, ns.
    pub total: u64,
    /// Time of this node alone, ns.
    pub own: u64,
    /// The source lines where it was, or from which it called, the longest first; a few only.
    pub lines: Vec<LineTime>,
    /// Nodes called from this one, without those that have no time.
    pub children: Vec<CallNode>,
}

impl CallNode {
    /// Returns the own time of each function and construct at or below this node, wherever it was
    /// called from; the longest first.
    pub fn own_times(&self) -> Vec<(&str, u64)> {
        let mut own: HashMap<&str, u64> = HashMap::default();
        let mut todo: Vec<&CallNode> = vec![self];
        while let Some(node) = todo.pop() {
            if !node.text.is_empty() {
                add(own.entry(&node.text).or_default(), node.own);
            }
            todo.extend(&node.children);
        }
        let mut rows: Vec<(&str, u64)> = own.into_iter().collect();
        rows.sort_by_key(|(name, time)| (std::cmp::Reverse(*time), *name));
        rows
    }
}

/// Sums the time of each stack up into a tree with a nameless root.
pub(super) fn build(
    stacks: &StackTree,
    own: &HashMap<NodeId, u64>,
    mut lines: HashMap<NodeId, Vec<LineTime>>,
) -> CallNode {
    let mut totals = vec![0u64; if own.is_empty() { 1 } else { stacks.len() }];
    let mut counts = vec![0u32; totals.len()];
    for (node, time) in own {
        add(&mut totals[node.0 as usize], *time);
    }
    // Parents come before their children, so one pass from the end sums everything up.
    for i in (1..totals.len()).rev() {
        let parent = stacks.parent(NodeId(i as u32)).0 as usize;
        let time = totals[i];
        add(&mut totals[parent], time);
        counts[parent] += u32::from(time > 0);
    }
    // The tree is built from the leaves, without recursion: stacks may be deep. Finished nodes wait
    // here for their parent.
    let mut built: HashMap<NodeId, Vec<CallNode>> = HashMap::default();
    for i in (0..totals.len()).rev().filter(|i| totals[*i] > 0 || *i == 0) {
        let id = NodeId(i as u32);
        let label = stacks.label_of(id);
        let mut children = built.remove(&id).unwrap_or_default();
        children.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.text.cmp(&b.text)));
        let node = CallNode {
            kind: label.kind,
            text: label.text.clone(),
            total: totals[i],
            own: own.get(&id).copied().unwrap_or(0),
            lines: lines.remove(&id).unwrap_or_default(),
            children,
        };
        if id == NodeId::ROOT {
            return node;
        }
        let parent = stacks.parent(id);
        let all = || Vec::with_capacity(counts[parent.0 as usize] as usize);
        built.entry(parent).or_insert_with(all).push(node);
    }
    CallNode {
        kind: LabelKind::Function,
        text: "".into(),
        total: 0,
        own: 0,
        lines: Vec::new(),
        children: Vec::new(),
    }
}
