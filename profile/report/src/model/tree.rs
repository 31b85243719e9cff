//! The call tree of user-model stacks, with time.

use std::collections::HashMap;
use std::rc::Rc;

use super::lines::LineTime;
use super::sums::add;
use crate::join::{LabelKind, NodeId, StackTree};

/// A node of the call tree; children are sorted, the heaviest first.
#[derive(Clone, Debug)]
pub struct CallNode {
    /// What the frame is.
    pub kind: LabelKind,
    /// The frame as it is shown: a function's name, a construct's label; empty for the root.
    pub text: Rc<str>,
    /// Time of this node and all below it, ns.
    pub total: u64,
    /// Time of this node alone, ns.
    pub own: u64,
    /// Where in the source it was, or from where it called, the longest first; a few only.
    pub lines: Vec<LineTime>,
    /// Nodes called from this one, without those that have no time.
    pub children: Vec<CallNode>,
}

impl CallNode {
    /// The time that each function and construct at or below this node has of its own, wherever it
    /// was called from; the longest first.
    pub fn own_times(&self) -> Vec<(&str, u64)> {
        let mut own: HashMap<&str, u64> = HashMap::new();
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
    let count = stacks.len();
    let mut totals = vec![0u64; count];
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (node, time) in own {
        add(&mut totals[node.0 as usize], *time);
    }
    // Parents come before their children, so one pass from the end sums everything up.
    for i in (1..count).rev() {
        let parent = stacks.parent(NodeId(i as u32)).0;
        let time = totals[i];
        add(&mut totals[parent as usize], time);
        if totals[i] > 0 {
            children[parent as usize].push(i as u32);
        }
    }
    // Built from the leaves, without recursion: stacks may be deep.
    let mut built: Vec<Option<CallNode>> = vec![None; count];
    for i in (0..count).rev() {
        if totals[i] == 0 && i != 0 {
            continue;
        }
        let id = NodeId(i as u32);
        let label = stacks.label_of(id);
        let mut nodes: Vec<CallNode> =
            children[i].iter().filter_map(|child| built[*child as usize].take()).collect();
        nodes.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.text.cmp(&b.text)));
        built[i] = Some(CallNode {
            kind: label.kind,
            text: label.text.clone(),
            total: totals[i],
            own: own.get(&id).copied().unwrap_or(0),
            lines: lines.remove(&id).unwrap_or_default(),
            children: nodes,
        });
    }
    built[0].take().unwrap_or_else(|| CallNode {
        kind: LabelKind::Function,
        text: "".into(),
        total: 0,
        own: 0,
        lines: Vec::new(),
        children: Vec::new(),
    })
}
