//! The hottest call paths as a pruned tree, and the hottest lines.

use std::collections::BinaryHeap;
use std::collections::HashSet;

use super::page::{Page, clip};
use crate::Analysis;
use crate::diagnosis::{duration, percent};
use crate::model::{CallNode, ratio};

/// Nodes below this share of all time are not shown.
const LEAST_SHARE: f64 = 0.005;
/// Frames are indented at most this far.
const DEEPEST_INDENT: usize = 48;

pub(super) fn tree(page: &mut Page, analysis: &Analysis, top: usize) {
    let root = analysis.tree();
    if root.total == 0 {
        return;
    }
    let shown = heaviest(root, top.max(1) * 4);
    page.heading("Hottest call paths (percent of all threads' time, from samples)");
    // Depth first, the heaviest child first; the stack holds nodes still to print.
    let mut todo: Vec<(&CallNode, usize)> = Vec::new();
    push_children(&mut todo, root, 0, &shown);
    while let Some((node, indent)) = todo.pop() {
        let text = format!(
            "  {:>6}  {:indent$}{}",
            percent(ratio(node.total, root.total)),
            "",
            node.text,
            indent = indent.min(DEEPEST_INDENT)
        );
        page.line(&clip(&text, page.width));
        let visible = node.children.iter().filter(|child| shown.contains(&address(child))).count();
        // A chain of only children needs less room than a branch.
        push_children(&mut todo, node, indent + if visible > 1 { 2 } else { 1 }, &shown);
    }
}

fn push_children<'a>(
    todo: &mut Vec<(&'a CallNode, usize)>,
    node: &'a CallNode,
    indent: usize,
    shown: &HashSet<*const CallNode>,
) {
    let visible = node.children.iter().rev().filter(|child| shown.contains(&address(child)));
    todo.extend(visible.map(|child| (child, indent)));
}

fn address(node: &CallNode) -> *const CallNode {
    node
}

/// The `budget` heaviest nodes; a parent is never lighter than its child, so they hang together.
fn heaviest(root: &CallNode, budget: usize) -> HashSet<*const CallNode> {
    let mut shown = HashSet::new();
    let mut heap: BinaryHeap<Heavy<'_>> = root.children.iter().map(Heavy).collect();
    while let Some(Heavy(node)) = heap.pop() {
        if shown.len() == budget || ratio(node.total, root.total) < LEAST_SHARE {
            break;
        }
        shown.insert(address(node));
        heap.extend(node.children.iter().map(Heavy));
    }
    shown
}

struct Heavy<'a>(&'a CallNode);

impl PartialEq for Heavy<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.total == other.0.total && self.0.text == other.0.text
    }
}

impl Eq for Heavy<'_> {}

impl PartialOrd for Heavy<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Heavy<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total.cmp(&other.0.total).then_with(|| other.0.text.cmp(&self.0.text))
    }
}

pub(super) fn lines(page: &mut Page, analysis: &Analysis, top: usize) {
    let lines = analysis.hot_lines();
    let total = analysis.tree().total;
    let shown: Vec<_> = lines
        .iter()
        .filter(|line| line.line > 0 && ratio(line.time, total) >= LEAST_SHARE)
        .take(top.max(1))
        .collect();
    if shown.is_empty() {
        return;
    }
    page.heading("Hottest lines (work, from samples)");
    for line in shown {
        let place = line.place().unwrap_or_default();
        let text = format!(
            "  {:>6}  {:>8}  {place} in {}",
            percent(ratio(line.time, total)),
            duration(line.time as f64),
            line.function
        );
        page.line(&clip(&text, page.width));
    }
}
