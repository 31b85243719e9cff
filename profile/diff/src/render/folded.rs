//! Collapsed stacks with two values, `outermost;…;innermost before after` in microseconds:
//! `flamegraph.pl` draws them as a differential flame graph, red where time grew, blue where it
//! shrank.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Comparison;
use crate::compared_row::Row;
use crate::run::Node;
use crate::side::Side;

/// Stacks of both sides, outermost frame first, with their own time before and after, ns.
pub(super) struct Stacks {
    pub(super) paths: BTreeMap<Vec<String>, (f64, f64)>,
}

/// Returns all stacks of both sides; times are means of the runs, names are those after.
pub fn render(comparison: &Comparison) -> String {
    let mut out = String::new();
    for (path, (before, after)) in stacks_of(comparison).paths {
        let frames: Vec<String> = path.iter().map(|frame| frame.replace(';', ":")).collect();
        let _ = writeln!(out, "{} {:.0} {:.0}", frames.join(";"), before / 1e3, after / 1e3);
    }
    out
}

pub(super) fn stacks_of(comparison: &Comparison) -> Stacks {
    let mut paths: BTreeMap<Vec<String>, (f64, f64)> = BTreeMap::new();
    let names = names(&comparison.parts);
    each(&comparison.before, &names, |path, time| paths.entry(path).or_default().0 += time);
    let as_they_are = BTreeMap::new();
    each(&comparison.after, &as_they_are, |path, time| paths.entry(path).or_default().1 += time);
    Stacks { paths }
}

/// Returns each function's new name by its earlier one, so that a renamed function is one frame.
fn names(rows: &[Row]) -> BTreeMap<String, String> {
    let all = rows.iter().chain(rows.iter().flat_map(|row| &row.parts));
    all.filter_map(|row| Some((row.earlier.clone()?, row.label.clone()))).collect()
}

fn each(side: &Side, names: &BTreeMap<String, String>, mut take: impl FnMut(Vec<String>, f64)) {
    let runs = side.count() as f64;
    for run in &side.runs {
        let mut open: Vec<(&Node, Vec<String>)> = vec![(&run.call_tree, Vec::new())];
        while let Some((node, mut path)) = open.pop() {
            let name = names.get(&node.name).unwrap_or(&node.name);
            if !name.is_empty() {
                path.push(name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect());
            }
            if node.self_ns > 0.0 && !path.is_empty() {
                take(path.clone(), node.self_ns / runs);
            }
            open.extend(node.children.iter().map(|child| (child, path.clone())));
        }
    }
}
