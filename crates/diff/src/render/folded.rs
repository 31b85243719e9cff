//! Collapsed stacks with two values, `outermost;…;innermost before after` in microseconds: what
//! `flamegraph.pl` draws as a differential flame graph, red where time grew, blue where it shrank.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Comparison;
use crate::row::Row;
use crate::run::Node;
use crate::side::Side;

/// All stacks of both sides; times are means of the runs, names are those after.
pub fn render(comparison: &Comparison) -> String {
    let names = names(&comparison.parts);
    let before = stacks(&comparison.before, &names);
    let after = stacks(&comparison.after, &BTreeMap::new());
    let mut all: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (path, time) in &before {
        all.entry(path).or_default().0 += time;
    }
    for (path, time) in &after {
        all.entry(path).or_default().1 += time;
    }
    let mut out = String::new();
    for (path, (before, after)) in all {
        let _ = writeln!(out, "{path} {:.0} {:.0}", before / 1e3, after / 1e3);
    }
    out
}

/// What is called otherwise after, by its name before: so one frame stays one frame.
fn names(rows: &[Row]) -> BTreeMap<String, String> {
    let all = rows.iter().chain(rows.iter().flat_map(|row| &row.parts));
    all.filter_map(|row| Some((row.earlier.clone()?, row.label.clone()))).collect()
}

fn stacks(side: &Side, names: &BTreeMap<String, String>) -> BTreeMap<String, f64> {
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    let runs = side.count() as f64;
    for run in &side.runs {
        let mut open: Vec<(&Node, String)> = vec![(&run.call_tree, String::new())];
        while let Some((node, above)) = open.pop() {
            let name = names.get(&node.name).unwrap_or(&node.name);
            let frame: String = name
                .chars()
                .map(|c| match c {
                    ';' => ':',
                    c if c.is_control() => ' ',
                    c => c,
                })
                .collect();
            let path = match (above.is_empty(), frame.is_empty()) {
                (_, true) => above,
                (true, _) => frame,
                _ => format!("{above};{frame}"),
            };
            if node.self_ns > 0.0 && !path.is_empty() {
                *found.entry(path.clone()).or_default() += node.self_ns / runs;
            }
            open.extend(node.children.iter().map(|child| (child, path.clone())));
        }
    }
    found
}
