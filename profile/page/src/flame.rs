//! The call tree as lists with an entry for each frame: short, and quick to read.

use std::collections::HashMap;

use omphalos_report::{CallNode, LabelKind};
use serde_json::{Value, json};

/// Frames below this share of all time are not told apart.
const LEAST_SHARE: f64 = 0.0001;
/// The most frames that the page has: shorter ones are not told apart.
const MOST_FRAMES: usize = 8_000;

/// Frames in the order in which a walk meets them, each with its depth: a parent comes before its
/// children.
#[derive(Default)]
pub(crate) struct Frames {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    name: Vec<usize>,
    kind: Vec<&'static str>,
    depth: Vec<usize>,
    /// Own time, ns.
    own: Vec<u64>,
    /// In a comparison: the own time in the earlier run, ns.
    earlier: Vec<u64>,
    /// The lines of each frame: a place and its time, in turn. Empty in a comparison.
    lines: Vec<Value>,
}

impl Frames {
    pub(crate) fn add(&mut self, depth: usize, kind: &'static str, name: &str, own: u64) {
        let next = self.names.len();
        let number = *self.numbers.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            next
        });
        self.name.push(number);
        self.kind.push(kind);
        self.depth.push(depth);
        self.own.push(own);
    }

    pub(crate) fn add_pair(&mut self, depth: usize, name: &str, earlier: f64, own: f64) {
        self.add(depth, "function", name, own as u64);
        self.earlier.push(earlier as u64);
    }

    pub(crate) fn value(self) -> Value {
        json!({
            "names": self.names,
            "name": self.name,
            "kind": self.kind,
            "depth": self.depth,
            "own_ns": self.own,
            "earlier_own_ns": self.earlier,
            "lines": self.lines,
        })
    }
}

/// The frames of a call tree.
pub(crate) fn of(tree: &CallNode) -> Value {
    let least = least(tree);
    let mut frames = Frames::default();
    let mut open = vec![(tree, 0)];
    while let Some((node, depth)) = open.pop() {
        frames.add(depth, kind(node), &node.text, node.own);
        let lines: Vec<Value> =
            node.lines.iter().flat_map(|line| [json!(line.place()), json!(line.time)]).collect();
        frames.lines.push(Value::Array(lines));
        let is_shown = |child: &&CallNode| child.total >= least;
        open.extend(node.children.iter().filter(is_shown).rev().map(|child| (child, depth + 1)));
        let mut small = Small::default();
        node.children.iter().filter(|child| !is_shown(child)).for_each(|child| small.add(child));
        // The sums come before the children; the page draws all by their times.
        for (own, kind) in [(small.work, "small"), (small.wait, "small-wait")] {
            if own > 0 {
                frames.add(depth + 1, kind, "smaller frames", own);
                frames.lines.push(json!([]));
            }
        }
    }
    frames.value()
}

/// The time below which frames are not told apart.
fn least(tree: &CallNode) -> u64 {
    let mut totals = Vec::new();
    let mut open = vec![tree];
    while let Some(node) = open.pop() {
        totals.push(node.total);
        open.extend(&node.children);
    }
    let share = (tree.total as f64 * LEAST_SHARE) as u64;
    totals.sort_unstable_by(|a, b| b.cmp(a));
    let longest = totals.get(MOST_FRAMES).map_or(0, |first_left_out| first_left_out + 1);
    share.max(longest).max(1)
}

/// The sum of frames that are too small to be shown apart.
#[derive(Default)]
struct Small {
    work: u64,
    wait: u64,
}

impl Small {
    fn add(&mut self, node: &CallNode) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let is_work = ["function", "system", "region", "task", "target"].contains(&kind(node));
            let sum = if is_work { &mut self.work } else { &mut self.wait };
            *sum = sum.saturating_add(node.own);
            open.extend(&node.children);
        }
    }
}

fn kind(node: &CallNode) -> &'static str {
    match node.kind {
        LabelKind::Function => "function",
        LabelKind::System => "system",
        LabelKind::Region => "region",
        LabelKind::Task => "task",
        LabelKind::Target => "target",
        LabelKind::Runtime if &*node.text == "<omp overhead>" => "overhead",
        LabelKind::Runtime if &*node.text == "<omp idle>" => "idle",
        LabelKind::Runtime => "wait",
        LabelKind::Blocked => "blocked",
        LabelKind::Queued => "queued",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str, own: u64, children: Vec<CallNode>) -> CallNode {
        let total = own + children.iter().map(|child| child.total).sum::<u64>();
        let kind = if text.starts_with('<') { LabelKind::Runtime } else { LabelKind::Function };
        CallNode { kind, text: text.into(), total, own, lines: Vec::new(), children }
    }

    #[test]
    fn no_time_is_lost() {
        let many = |i: u64| node(&format!("f{i}"), i, vec![node("<omp idle>", 1, Vec::new())]);
        let tree = node("", 0, (1..20_000).map(many).collect());
        let value = of(&tree);
        let own = value["own_ns"].as_array().unwrap();
        assert_eq!(own.iter().filter_map(Value::as_u64).sum::<u64>(), tree.total);
        assert!(own.len() <= MOST_FRAMES + 3, "{}", own.len());
        let kinds = value["kind"].as_array().unwrap();
        let of_kind = |name: &str| kinds.iter().position(|kind| kind == name).unwrap();
        // Each of those that are left out has a wait of 1 below it.
        let left_out = own[of_kind("small-wait")].as_u64().unwrap();
        assert_eq!(own[of_kind("small")].as_u64(), Some(left_out * (left_out + 1) / 2));
    }
}
