//! The comparison for a terminal: the sentence, the differences around the program, the rows.

pub use omphalos_report::text::TextOptions;
use omphalos_report::text::page::{Page, Table};
use omphalos_report::words::{duration, percent};

use super::{ms, remark, signed_ms};
use crate::compared_row::{Kind, Row};
use crate::comparison::Verdict;
use crate::noise::median;
use crate::side::Side;
use crate::{Comparison, items};

/// Shows the whole comparison. `all`: also rows whose change may be chance.
pub fn render(comparison: &Comparison, options: &TextOptions, all: bool) -> String {
    let mut page = Page::new(options);
    page.heading(&format!("{} -> {}", comparison.before.name(), comparison.after.name()));
    for one in &comparison.circumstances {
        page.text(2, &format!("differs: {}: {}, then {}", one.what, one.before, one.after));
    }
    match comparison.verdict {
        Verdict::Slower | Verdict::Inconclusive => page.alarm(2, &comparison.sentence),
        _ => page.text(2, &comparison.sentence),
    }
    parts(&mut page, comparison, options.top.max(1), all);
    beside(&mut page, comparison, options.top.max(1), all);
    let is_single = comparison.before.count() + comparison.after.count() <= 2;
    page.heading("How sure is that");
    page.text(
        2,
        if is_single {
            "one run each: noise is taken to be 5 % of a time, and what chance makes of samples. \
             Record several, and it is measured: omphalos profile --repeat 5 -o before ./app"
        } else {
            "times are medians of the runs; noise is how far two such medians come to lie apart by \
             chance, 999 times in 1000, by how the runs of one side differ"
        },
    );
    page.finish()
}

/// Whether its time is printed as more than 0.
fn is_some(row: &Row) -> bool {
    ms(row.time.before()) != "0.0" || ms(row.time.after()) != "0.0"
}

fn table() -> Table {
    Table::new("ms", &["before", "after", "change", "noise"])
}

fn add(table: &mut Table, row: &Row, indent: &str) {
    let mark = if row.time.is_beyond_noise() { "" } else { "~" };
    let remark = remark(row);
    let remark = if remark.is_empty() { remark } else { format!(" ({remark})") };
    table.row(
        format!("{indent}{}{remark}", row.label),
        vec![
            ms(row.time.before()),
            ms(row.time.after()),
            format!("{mark}{}", signed_ms(row.time.by())),
            ms(row.time.noise()),
        ],
    );
}

fn parts(page: &mut Page, comparison: &Comparison, top: usize, all: bool) {
    let is_shown = |row: &&Row| (all && is_some(row)) || comparison.is_worth_naming(row);
    let has_shown = |row: &&Row| is_shown(row) || row.parts.iter().any(|part| is_shown(&part));
    let rows: Vec<&Row> = comparison.parts.iter().filter(has_shown).collect();
    if rows.is_empty() {
        return;
    }
    page.heading("Elapsed time by region, and what that consists of");
    let mut table = table();
    for row in rows.iter().take(top) {
        add(&mut table, row, "");
        for part in row.parts.iter().filter(is_shown).take(top) {
            add(&mut table, part, "  ");
        }
    }
    let elapsed = &comparison.elapsed;
    let mark = if elapsed.is_beyond_noise() { "" } else { "~" };
    table.row(
        "all".to_owned(),
        vec![
            ms(elapsed.before()),
            ms(elapsed.after()),
            format!("{mark}{}", signed_ms(elapsed.by())),
            ms(elapsed.noise()),
        ],
    );
    table.print(page);
    if rows.len() > top {
        page.text(2, &format!("and {} more", rows.len() - top));
    }
    let chance = if all { "; ~: may be chance" } else { "; what may be chance is left out" };
    page.text(
        2,
        &format!("what threads do at once counts as the sum over them by the team's size{chance}"),
    );
}

fn beside(page: &mut Page, comparison: &Comparison, top: usize, all: bool) {
    let is_shown = |row: &&Row| (all && is_some(row)) || comparison.is_worth_naming(row);
    let rows: Vec<&Row> = comparison.beside.iter().filter(is_shown).collect();
    if rows.is_empty() {
        return;
    }
    page.heading("Tasks (work), locks (wait) and target constructs (ms, summed over threads)");
    let mut table = table();
    rows.iter().take(top).for_each(|row| add(&mut table, row, ""));
    table.print(page);
}

/// Shows several runs of one program: the median of each part of the elapsed time, and its spread.
pub fn render_runs(side: &Side, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.heading(&format!("{} runs of {}", side.count(), side.first().program.command.join(" ")));
    let mut table = Table::new("ms", &["median", "least", "most", "spread"]);
    let mut row = |label: &str, runs: &[f64]| {
        let least = runs.iter().copied().fold(f64::INFINITY, f64::min);
        let most = runs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let middle = median(runs);
        let spread = if middle > 0.0 { (most - least) / middle } else { 0.0 };
        table.row(label.to_owned(), vec![ms(middle), ms(least), ms(most), percent(spread)]);
        middle
    };
    row("elapsed", &side.each(|run| run.summary.elapsed_ns));
    let (outside, mut regions) = items::parts_of_elapsed(side);
    regions.sort_by(|a, b| median(&b.time).total_cmp(&median(&a.time)));
    row(&outside.label, &outside.time);
    for region in regions.iter().take(options.top.max(1)) {
        row(&region.label, &region.time);
        for part in region.parts.iter().filter(|part| part.kind != Kind::Function) {
            if median(&part.time) >= 0.01 * median(&region.time) {
                row(&format!("  {}", part.label), &part.time);
            }
        }
    }
    table.print(&mut page);
    let middle = duration(median(&side.each(|run| run.summary.elapsed_ns)));
    page.text(
        2,
        &format!(
            "spread: most less least, as a share of the median. --json has it of every figure. \
             What follows is the run whose elapsed time is the median, {middle}"
        ),
    );
    page.finish()
}
