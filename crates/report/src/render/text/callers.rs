//! From where the regions of the table were entered.

use std::collections::HashMap;

use super::page::Page;
use crate::Analysis;
use crate::diagnosis::percent;
use crate::join::LabelKind;
use crate::model::{CallNode, add, ratio, total};

/// Paths shown of one region.
const MOST_PATHS: usize = 3;
/// A caller below this share of the region's time is not shown.
const LEAST_SHARE: f64 = 0.01;
/// Frames shown of one path: the outermost one and the innermost of the others.
const MOST_FRAMES: usize = 7;

/// The call paths above each region, the one with the most time first. A path that says no more
/// than the region's own name is left out.
pub(super) fn regions(page: &mut Page, analysis: &Analysis, top: usize) {
    let paths = paths(analysis.tree());
    let mut lines = Vec::new();
    for row in analysis.regions().iter().take(top.max(1)) {
        let Some(callers) = paths.get(&*row.construct.label) else { continue };
        let all = total(callers.iter().map(|(_, time)| *time));
        // Paths without names, or with the function that the table names alone, say nothing more.
        let is_named = |path: &str| path.split(" > ").any(|frame| !frame.contains("+0x"));
        let is_news = |path: &str| path != &*row.construct.function && is_named(path);
        let mut shown: Vec<&(String, u64)> = callers
            .iter()
            .filter(|(path, time)| is_news(path) && ratio(*time, all) >= LEAST_SHARE)
            .collect();
        shown.sort_by_key(|(path, time)| (std::cmp::Reverse(*time), path.as_str()));
        let label = row.construct.label.trim_start_matches("region at ");
        for (number, (path, time)) in shown.iter().take(MOST_PATHS).enumerate() {
            let share = percent(ratio(*time, all));
            let share = if callers.len() > 1 { format!(" ({share})") } else { String::new() };
            let label = if number == 0 { format!("{label}: ") } else { String::new() };
            lines.push((number, format!("{label}{path}{share}")));
        }
        if shown.len() > MOST_PATHS {
            lines.push((1, format!("and {} more", shown.len() - MOST_PATHS)));
        }
    }
    if lines.is_empty() {
        return;
    }
    page.dim("  called from (outermost first, with shares of the region's samples)");
    for (number, line) in lines {
        page.text(if number == 0 { 4 } else { 8 }, &line);
    }
}

/// Paths above the regions of a call tree with their times, by the regions' names.
fn paths(root: &CallNode) -> HashMap<&str, Vec<(String, u64)>> {
    let mut found: HashMap<&str, HashMap<String, u64>> = HashMap::new();
    let mut path: Vec<&str> = Vec::new();
    let mut todo: Vec<(&CallNode, usize)> = root.children.iter().map(|child| (child, 0)).collect();
    while let Some((node, depth)) = todo.pop() {
        path.truncate(depth);
        if node.kind == LabelKind::Region {
            let times = found.entry(&node.text).or_default();
            add(times.entry(joined(&path)).or_default(), node.total);
        }
        path.push(&node.text);
        todo.extend(node.children.iter().map(|child| (child, depth + 1)));
    }
    let sorted = |times: HashMap<String, u64>| times.into_iter().collect();
    found.into_iter().map(|(region, times)| (region, sorted(times))).collect()
}

fn joined(path: &[&str]) -> String {
    if path.len() <= MOST_FRAMES {
        return path.join(" > ");
    }
    let inner = &path[path.len() - (MOST_FRAMES - 1)..];
    format!("{} > .. > {}", path[0], inner.join(" > "))
}
