//! The report for a terminal: the findings first, then the regions, then the paths. It has two
//! screens, or every table.

mod brief;
mod callers;
mod commands;
mod constructs;
mod counters;
mod findings;
mod head;
pub mod page;
mod paths;
mod placed;
mod processes;
mod tables;
mod targets;

use page::Page;
pub use processes::render as render_processes;

use crate::Analysis;

/// The options of a report in text.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Columns of the terminal; below 60 is taken as 60.
    pub width: usize,
    /// Whether to use ANSI colours.
    pub color: bool,
    /// True where no name is cut to fit the width: for files, which are searched and not looked at.
    pub whole_names: bool,
    /// Shows every table and every finding; else what fits on two screens of 45 lines.
    pub all: bool,
    /// The number of rows of each table, and a measure for the length of the call tree.
    pub top: usize,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { width: 100, color: false, whole_names: true, all: true, top: 10 }
    }
}

/// The report.
pub fn render(analysis: &Analysis, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    match options.all {
        true => whole(&mut page, analysis, options.top),
        false => brief::brief(&mut page, analysis, options.top),
    }
    page.finish()
}

/// Shows every table.
fn whole(page: &mut Page, analysis: &Analysis, top: usize) {
    head::head(page, analysis);
    head::samples(page, analysis);
    placed::line(page, analysis);
    head::notes(page, analysis);
    findings::diagnosis(page, analysis, top, top);
    tables::threads(page, analysis, top);
    placed::table(page, analysis, top);
    placed::memory(page, analysis);
    tables::regions(page, analysis, top);
    constructs::constructs(page, analysis, top);
    counters::counters(page, analysis, top);
    counters::functions(page, analysis, top);
    tables::tasks(page, analysis, top);
    targets::targets(page, analysis, top);
    tables::mutexes(page, analysis, top);
    paths::tree(page, analysis, top.saturating_mul(4));
    paths::functions(page, analysis, top);
    paths::lines(page, analysis, top);
    findings::looked_for(page, analysis);
    findings::notes(page, analysis, usize::MAX);
}
