//! The source with its costs, for a terminal.

use std::fmt::Write;

use super::text::TextOptions;
use super::text::page::Page;
use crate::Analysis;
use crate::diagnosis::percent;
use crate::model::{Costs, ratio};
use crate::source::{Line, Listing, SourceFiles, listings};
use crate::visible::visible;

/// Shows the lines of the dearest functions, with their costs.
pub fn render(analysis: &Analysis, files: &mut SourceFiles, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.heading(&format!("Omphalos profile of {}, by lines of the source", analysis.command()));
    let found = listings(analysis, files, options.top);
    if found.is_empty() {
        page.text(2, "no sample found the program's own code");
        return page.finish();
    }
    page.text(
        2,
        "ms of all threads, from samples: work that ran there; waits, and what the runtime did, \
         for what stands there",
    );
    let mut said = std::collections::BTreeSet::new();
    for listing in &found {
        one(&mut page, listing, analysis.tree().total, &mut said);
    }
    page.finish()
}

pub(super) type Column = (&'static str, fn(&Costs) -> u64);
pub(super) const COLUMNS: [Column; 4] = [
    ("work", |costs| costs.work),
    ("wait", |costs| costs.wait),
    ("overhead", |costs| costs.overhead),
    ("blocked", |costs| costs.blocked),
];

fn one<'a>(
    page: &mut Page,
    listing: &'a Listing,
    all: u64,
    said: &mut std::collections::BTreeSet<&'a str>,
) {
    let place = match (&listing.file, &listing.path) {
        (_, Some(path)) => format!(" in {}", visible(path)),
        (Some(file), None) => format!(" in {}", visible(file)),
        (None, None) => String::new(),
    };
    let share = percent(ratio(listing.costs.all(), all));
    page.heading(&format!("{share}  {}{place}", visible(&listing.function)));
    if let Some(remark) = listing.remark.as_deref().filter(|remark| said.insert(remark)) {
        page.text(2, &format!("note: {}", visible(remark)));
    }
    let shown: Vec<&Column> = COLUMNS
        .iter()
        .filter(|(_, of)| listing.lines.iter().any(|line| of(&line.costs) > 0))
        .collect();
    if shown.is_empty() {
        return;
    }
    let last = listing.lines.last().map_or(1, |line| line.number);
    let width = last.to_string().len().max(4);
    let mut heading = format!("  {:>width$}", "line");
    for (name, _) in &shown {
        let _ = write!(heading, "{name:>10}");
    }
    page.plain(&heading, true);
    let mut before = None;
    for line in &listing.lines {
        if before.is_some_and(|before| before + 1 < line.number) {
            page.plain(&format!("  {:>width$}", "..."), true);
        }
        before = Some(line.number);
        page.plain(&written(line, width, &shown), line.costs.all() == 0);
    }
}

/// Returns a line of a listing: its number, its costs, its text.
fn written(line: &Line, width: usize, columns: &[&Column]) -> String {
    let mut out = format!("  {:>width$}", line.number);
    figures(&mut out, &line.costs, columns);
    if let Some(text) = &line.text {
        let _ = write!(out, "  {}", visible(&text.replace('\t', "        ")));
    }
    out
}

pub(super) fn figures(out: &mut String, costs: &Costs, columns: &[&Column]) {
    for (_, of) in columns {
        let _ = match of(costs) {
            0 => write!(out, "{:10}", ""),
            time if time < 50_000 => write!(out, "{:>10}", "<0.1"),
            time => write!(out, "{:>10.1}", time as f64 / 1e6),
        };
    }
}
