//! The constructs inside regions: loops, single, sections, barriers and their like.

use super::page::{Page, Table};
use super::tables::ms;
use crate::Analysis;
use crate::diagnosis::{count, duration};
use crate::model::{ConstructRow, RegionRow};

/// Whether the agent may have looked at the clock for only some of its executions.
fn is_short(row: &ConstructRow) -> bool {
    const SHORT: u64 = 5_000;
    row.instances > 16 && row.time.is_some_and(|time| time < row.instances.saturating_mul(SHORT))
}

pub(super) fn constructs(page: &mut Page, analysis: &Analysis, top: usize) {
    let regions: Vec<&RegionRow> = analysis.regions().iter().take(top.max(1)).collect();
    let has_any = |region: &&&RegionRow| !region.constructs.is_empty();
    if !regions.iter().any(|region| has_any(&region)) {
        return;
    }
    page.heading("Constructs inside of regions (ms, summed over threads)");
    let columns = ["times", "time", "chunks", "iterations", "handing out", "wait", "mean wait"];
    let mut table = Table::new("construct", &columns);
    let empty = || vec![String::new(); columns.len()];
    for region in regions.iter().filter(has_any) {
        table.row(region.construct.label.to_string(), empty());
        for row in &region.constructs {
            let place = row.place(region);
            let cells = cells(row, analysis.is_from_collector());
            table.row(format!("  {} {place}", row.name).trim_end().to_owned(), cells);
        }
    }
    table.without_empty_columns().print(page);
    let all = || regions.iter().flat_map(|region| &region.constructs);
    page.text(
        2,
        "time: from begin to end; wait: in the barrier behind it, which is how unequally its \
         threads arrived (critical, ordered: for the others to leave)",
    );
    if all().any(is_short) {
        page.text(
            2,
            "what is over in less than 5 us is counted each time, and its time is that of one in \
             16",
        );
    }
    let is_untold = |row: &ConstructRow| !row.is_seen || row.time.is_none() && row.name == "single";
    if analysis.is_from_collector() && all().any(is_untold) {
        page.text(2, "-: unknown, for the runtime does not tell");
    } else if all().any(is_untold) {
        page.text(
            2,
            "-: unknown, for gcc's code calls no runtime for static loops, master and masked, nor \
             where a single with nowait ends",
        );
    }
    if all().any(|row| row.chunks_estimated) {
        page.text(
            2,
            "~: about so many, for chunks came too fast to count all, or the program ended in the \
             middle",
        );
    }
}

/// Returns the cells of a row. `is_from_collector`: no construct's chunks and iterations are told.
fn cells(row: &ConstructRow, is_from_collector: bool) -> Vec<String> {
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    // A construct without chunks has an empty cell.
    let is_loop = row.iterations.is_some() || (!row.is_seen && !is_from_collector);
    let or_empty = |value: Option<String>| match value {
        None if !is_loop => String::new(),
        value => or_dash(value),
    };
    let or_nothing = |value: Option<String>| match value {
        None if row.is_seen => String::new(),
        value => or_dash(value),
    };
    let tilde = if row.chunks_estimated { "~" } else { "" };
    let is_end = row.name.starts_with("end of") || row.name.ends_with("barrier");
    vec![
        or_dash((row.instances > 0).then(|| count(row.instances))),
        if is_end { String::new() } else { or_dash(row.time.map(ms)) },
        or_empty(row.chunks.map(|chunks| format!("{tilde}{}", count(chunks)))),
        or_empty(row.iterations.map(count)),
        if row.handing_out > 0 { ms(row.handing_out) } else { String::new() },
        or_nothing(row.wait.map(ms)),
        or_nothing(
            row.wait
                .filter(|_| row.instances > 0)
                .map(|wait| duration(wait as f64 / row.instances as f64)),
        ),
    ]
}
