//! A differential flame graph (SVG): the call trees of both sides as one.

use std::collections::HashMap;

use omphalos_report::{CallNode, LabelKind, flamegraph};

use super::folded::{Stacks, stacks_of};
use crate::Comparison;

/// A frame of both sides.
#[derive(Default)]
struct Frame {
    before: f64,
    after: f64,
    below: HashMap<String, Frame>,
}

/// Joins both call trees.
fn root_of(comparison: &Comparison) -> Frame {
    let Stacks { paths } = stacks_of(comparison);
    let mut root = Frame::default();
    for (path, (before, after)) in &paths {
        let mut at = &mut root;
        at.before += before;
        at.after += after;
        for name in path {
            at = at.below.entry(name.clone()).or_default();
            at.before += before;
            at.after += after;
        }
    }
    root
}

/// Gives `take` the depth, the name and both times, ns, of each frame of both call trees that has
/// at least the share `least` of all: parents before their children. The time of a shorter frame is
/// part of its parent's.
pub fn each_frame(
    comparison: &Comparison,
    least: f64,
    mut take: impl FnMut(usize, &str, [f64; 2]),
) {
    let root = root_of(comparison);
    let least = least * (root.before + root.after);
    let mut open = vec![("", &root, 0)];
    while let Some((name, frame, depth)) = open.pop() {
        let mut own = [frame.before, frame.after];
        for (name, below) in &frame.below {
            if below.before + below.after >= least {
                own = [own[0] - below.before, own[1] - below.after];
                open.push((name, below, depth + 1));
            }
        }
        take(depth, name, own.map(|time| time.max(0.0)));
    }
}

/// Draws both call trees in one picture, in the form of `omphalos report --flamegraph`.
pub fn render(comparison: &Comparison) -> String {
    let root = root_of(comparison);
    let tree = tree_of("", &root);
    // Nodes by their addresses: the tree does not move while it is drawn.
    let mut times = HashMap::new();
    let mut open = vec![(&tree, &root)];
    while let Some((node, frame)) = open.pop() {
        times.insert(std::ptr::from_ref(node), (frame.before, frame.after));
        open.extend(node.children.iter().map(|child| (child, &frame.below[&*child.text])));
    }
    let title = format!("{} -> {}", comparison.before.name(), comparison.after.name());
    flamegraph::render_change(&title, &tree, &|node| times[&std::ptr::from_ref(node)])
}

/// A stack is at most as deep as the report's own: its JSON was read by recursion too.
fn tree_of(name: &str, frame: &Frame) -> CallNode {
    CallNode {
        kind: LabelKind::Function,
        text: name.into(),
        total: ((frame.before + frame.after) / 2.0) as u64,
        own: 0,
        lines: Vec::new(),
        children: frame.below.iter().map(|(name, below)| tree_of(name, below)).collect(),
    }
}
