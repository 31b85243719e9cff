//! The instructions with their costs, for a terminal.

use std::fmt::Write;

use super::source::{COLUMNS, Column, figures};
use super::text::TextOptions;
use super::text::page::Page;
use crate::Analysis;
use crate::diagnosis::percent;
use crate::model::ratio;
use crate::source::{MachineListing, SourceFiles, machine_listings};
use crate::visible::visible;

/// Shows the instructions of the dearest functions, with their costs and source lines.
pub fn render(analysis: &Analysis, files: &mut SourceFiles, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.heading(&format!("Omphalos profile of {}, by instructions", analysis.command()));
    let found = machine_listings(analysis, files, options.top);
    if found.is_empty() {
        page.text(2, "no sample found the program's own code");
        return page.finish();
    }
    page.text(
        2,
        "ms of all threads, from samples: a sample is most often at the instruction behind the one \
         that took the time",
    );
    found.iter().for_each(|listing| one(&mut page, listing, analysis.tree().total));
    page.finish()
}

fn one(page: &mut Page, listing: &MachineListing, all: u64) {
    let (function, module) = (visible(&listing.function), visible(&listing.module));
    let share = percent(ratio(listing.costs.all(), all));
    page.heading(&format!("{share}  {function} in {module}"));
    if let Some(remark) = &listing.remark {
        page.text(2, &format!("note: {}", visible(remark)));
    }
    let lines = &listing.instructions;
    let is_shown = |column: &&Column| lines.iter().any(|line| column.1(&line.costs) > 0);
    let shown: Vec<&Column> = COLUMNS.iter().filter(is_shown).collect();
    let Some(last) = lines.last() else { return };
    let width = format!("{:x}", last.address).len();
    let headings: String = shown.iter().map(|(name, _)| format!("{name:>10}")).collect();
    page.plain(&headings, true);
    let margin = 10 * shown.len() + 2;
    let mut before = None;
    for line in lines {
        if before.is_some_and(|before| before + 1 < line.number) {
            page.plain(&format!("{:margin$}...", ""), true);
        }
        before = Some(line.number);
        if let Some((place, text)) = &line.source {
            let text = format!("{:margin$}{}  {}", "", visible(place), visible(text.trim()));
            page.plain(text.trim_end(), true);
        }
        let mut out = String::new();
        figures(&mut out, &line.costs, &shown);
        let _ = write!(out, "  {:>width$x}:  {}", line.address, visible(&line.text));
        page.plain(&out, false);
    }
}
