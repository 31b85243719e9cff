//! The counters of the system and the processor: a table by region, one by function, the energy,
//! and a line for each thing that is not known.

use super::page::{Page, Table};
use crate::Analysis;
use crate::diagnosis::{count, duration, percent};
use crate::model::{CounterPlace, CounterRow, Counters, Counts, ratio};

/// A note tells if the processor's counters were shared for more than this part of the time.
const SHARED: f64 = 0.01;

/// Shows the counters by region, and all other figures.
pub(super) fn counters(page: &mut Page, analysis: &Analysis, top: usize) {
    let Some(counters) = analysis.counters() else { return };
    let code = if counters.user_only { ", hardware in user code alone" } else { "" };
    page.heading(&format!("Counters by region{code}"));
    let mut table = new_table("region");
    let (shown, rest) = split(&counters.rows, top);
    for row in shown {
        table.row(name(row), cells(&row.counts));
    }
    if !rest.is_empty() {
        let mut sum = Counts::default();
        rest.iter().for_each(|row| sum.add(&row.counts));
        table.row(format!("{} more regions", rest.len()), cells(&sum));
    }
    table.row("total".to_owned(), cells(&counters.total));
    table.without_empty_columns().print(page);
    legend(page, counters);
    energy(page, counters);
    counters.missing.iter().for_each(|line| page.text(2, line));
}

/// Shows the counters by function.
pub(super) fn functions(page: &mut Page, analysis: &Analysis, top: usize) {
    let Some(counters) = analysis.counters().filter(|known| !known.functions.is_empty()) else {
        return;
    };
    page.heading("Counters by function");
    let mut table = new_table("function");
    for (function, counts) in counters.functions.iter().take(top.max(1)) {
        table.row(function.to_string(), cells(counts));
    }
    table.without_empty_columns().print(page);
    if counters.functions.len() > top.max(1) {
        page.text(2, &format!("and {} more", counters.functions.len() - top.max(1)));
    }
}

/// Returns the first regions with all rows that are no regions, and the other regions.
fn split(rows: &[CounterRow], top: usize) -> (Vec<&CounterRow>, Vec<&CounterRow>) {
    let mut regions = 0;
    rows.iter().partition(|row| {
        let is_region = matches!(row.place, CounterPlace::Region(_));
        regions += usize::from(is_region);
        !is_region || regions <= top.max(1)
    })
}

fn name(row: &CounterRow) -> String {
    match &row.place {
        CounterPlace::Region(construct) => {
            construct.label.trim_start_matches("region at ").to_owned()
        }
        CounterPlace::Serial => "<outside of regions>".to_owned(),
        CounterPlace::Waiting => "<waiting, and in the runtime>".to_owned(),
        CounterPlace::Others => "<other threads>".to_owned(),
    }
}

fn new_table(name: &'static str) -> Table {
    let columns = [
        "CPU time", "IPC", "misses", "front", "back", "retired", "wrong way", "fetch", "data",
        "faults", "major", "switches", "taken off",
    ];
    Table::new(name, &columns)
}

fn cells(counts: &Counts) -> Vec<String> {
    let number = |figure: Option<f64>| figure.map_or_else(String::new, |it| format!("{it:.2}"));
    let share = |figure: Option<f64>| figure.map_or_else(String::new, percent);
    let some = |figure: u64| if figure == 0 { String::new() } else { count(figure) };
    let parts = counts.top_down().map_or([None; 4], |parts| parts.map(Some));
    let mut cells = vec![
        duration(counts.running as f64),
        number(counts.per_cycle()),
        number(counts.misses_per_thousand()),
    ];
    cells.extend(counts.stalled().into_iter().chain(parts).map(share));
    let [faults, major] = [counts.page_faults, counts.major_faults].map(some);
    cells.extend([faults, major, some(counts.left), some(counts.taken)]);
    cells
}

fn legend(page: &mut Page, counters: &Counters) {
    let of_all = &counters.total;
    let mut words = Vec::new();
    if of_all.per_cycle().is_some() {
        words.push("IPC: instructions a cycle".to_owned());
    }
    if of_all.misses_per_thousand().is_some() {
        words.push("misses: of the last cache, in 1,000 instructions".to_owned());
    }
    if of_all.stalled() != [None; 2] {
        words.push("front, back: cycles stalled there".to_owned());
    }
    if of_all.top_down().is_some() {
        words.push(
            "retired, wrong way, fetch, data: slots for instructions that were used, lost to \
             guesses, to the front end, to the back end"
                .to_owned(),
        );
    }
    words.push("faults: pages met first, major: read from a file".to_owned());
    words.push("switches: the thread waited, taken off: it lost its CPU".to_owned());
    let (enabled, counting) = of_all.counting;
    let share = ratio(counting, enabled);
    if counting > 0 && share < 1.0 - SHARED {
        words.push(format!(
            "the processor's counters were shared: counted {} of the time and scaled up",
            percent(share)
        ));
    }
    page.dim_text(2, &words.join("; "));
}

fn energy(page: &mut Page, counters: &Counters) {
    let all = &counters.energy;
    let Some(longest) = all.iter().map(|energy| energy.elapsed).max().filter(|time| *time > 0)
    else {
        return;
    };
    let joules: f64 = all.iter().map(|energy| energy.joules).sum();
    let of = |joules: f64| format!("{joules:.1} J, {:.1} W", joules / (longest as f64 / 1e9));
    let each: Vec<String> =
        all.iter().map(|energy| format!("{}: {}", energy.package, of(energy.joules))).collect();
    let parts = if each.len() > 1 { format!(" ({})", each.join("; ")) } else { String::new() };
    page.text(
        2,
        &format!(
            "energy: {} in {}{parts}, of whole packages: other programs' and what idles is in it, \
             so it is not split by region",
            of(joules),
            duration(longest as f64),
        ),
    );
}
