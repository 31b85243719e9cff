//! The hottest call paths as a pruned tree, and the hottest lines.

use std::collections::{BinaryHeap, HashSet};

use super::page::Page;
use crate::Analysis;
use crate::diagnosis::{duration, percent};
use crate::join::LabelKind;
use crate::model::{CallNode, ratio};

/// Nodes below this share of all time are not shown.
const LEAST_SHARE: f64 = 0.005;
/// Frames are indented at most this far, and on narrow pages less.
const DEEPEST_INDENT: usize = 48;

/// Shows the `most` heaviest nodes of the call tree.
pub(super) fn tree(page: &mut Page, analysis: &Analysis, most: usize) {
    let root = analysis.tree();
    if root.total == 0 {
        return;
    }
    let shown = heaviest(root, most.max(1));
    page.heading("Hottest call paths (percent of all threads' time, from samples)");
    // Depth first, the heaviest child first; the stack holds nodes still to print.
    let mut todo: Vec<(&CallNode, usize, usize)> = Vec::new();
    push_children(&mut todo, root, 0, &shown);
    while let Some((node, skipped, indent)) = todo.pop() {
        let text = format!(
            "  {:>6}  {:indent$}{}{}",
            percent(ratio(node.total, root.total)),
            "",
            node.text,
            if skipped > 0 {
                format!(" ({} functions without names)", skipped + 1)
            } else {
                String::new()
            },
            indent = indent.min(page.deepest_indent(DEEPEST_INDENT))
        );
        page.line(&page.fit(&text));
        let is_shown = |child: &&CallNode| shown.contains(&address(end_of_run(child).0));
        let visible = node.children.iter().filter(is_shown).count();
        // A chain in which each node has one child needs less room than a branch.
        push_children(&mut todo, node, indent + if visible > 1 { 2 } else { 1 }, &shown);
    }
}

/// Adds the shown children of `node`, the lightest first: each as the end of its run, with the
/// number of functions of the run that are left out, and with its indent.
fn push_children<'a>(
    todo: &mut Vec<(&'a CallNode, usize, usize)>,
    node: &'a CallNode,
    indent: usize,
    shown: &HashSet<*const CallNode>,
) {
    let ends = node.children.iter().rev().map(end_of_run);
    let visible = ends.filter(|(node, _)| shown.contains(&address(node)));
    todo.extend(visible.map(|(node, skipped)| (node, skipped, indent)));
}

/// Returns the innermost of a run of functions of one module that have no names and only call each
/// other, and how many of the run are left out.
fn end_of_run(node: &CallNode) -> (&CallNode, usize) {
    fn module(node: &CallNode) -> Option<&str> {
        let name = (node.kind == LabelKind::Function).then_some(&node.text)?;
        name.split_once("+0x").map(|(module, _)| module)
    }
    let (mut at, mut skipped) = (node, 0);
    while let Some(child) = at.children.first()
        && module(at).is_some()
        && module(at) == module(child)
        && child.total * 50 >= at.total * 49
    {
        at = child;
        skipped += 1;
    }
    (at, skipped)
}

fn address(node: &CallNode) -> *const CallNode {
    node
}

/// Returns the `budget` heaviest nodes; a parent is never lighter than its child, so they are
/// connected.
fn heaviest(root: &CallNode, budget: usize) -> HashSet<*const CallNode> {
    let mut shown = HashSet::new();
    let heavy = |child| Heavy(end_of_run(child).0);
    let mut heap: BinaryHeap<Heavy<'_>> = root.children.iter().map(heavy).collect();
    while let Some(Heavy(node)) = heap.pop() {
        if shown.len() == budget || ratio(node.total, root.total) < LEAST_SHARE {
            break;
        }
        shown.insert(address(node));
        heap.extend(node.children.iter().map(heavy));
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

/// Shows functions by their own time, wherever they were called from; also the runtime's work.
pub(super) fn functions(page: &mut Page, analysis: &Analysis, top: usize) {
    let root = analysis.tree();
    let mut rows = root.own_times();
    rows.retain(|(_, time)| ratio(*time, root.total) >= LEAST_SHARE);
    if rows.is_empty() {
        return;
    }
    page.heading("Functions and constructs by their own time (from samples)");
    for (name, time) in rows.into_iter().take(top.max(1)) {
        let share = percent(ratio(time, root.total));
        let text = format!("  {share:>6}  {:>8}  {name}", duration(time as f64));
        page.line(&page.fit(&text));
    }
}

/// Shows the hottest lines; returns whether there are any.
pub(super) fn lines(page: &mut Page, analysis: &Analysis, top: usize) -> bool {
    let lines = analysis.hot_lines();
    let total = analysis.tree().total;
    let shown: Vec<_> = lines
        .iter()
        .filter(|line| line.line > 0 && ratio(line.time, total) >= LEAST_SHARE)
        .take(top.max(1))
        .collect();
    if shown.is_empty() {
        return false;
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
        page.line(&page.fit(&text));
    }
    true
}
