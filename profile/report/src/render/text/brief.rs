//! The report on two screens: the answer, the costliest findings, the regions with their share of
//! the run, the hottest paths and lines; and the names of the other tables.

use super::page::{Page, Table};
use super::{counters, findings, head, paths, placed};
use crate::Analysis;
use crate::diagnosis::{count, duration, percent};
use crate::model::{RegionRow, ThreadRow, ratio, total};

/// Findings shown.
const MOST_FINDINGS: usize = 3;
/// Doubts shown.
const MOST_DOUBTS: usize = 2;
/// Notes shown.
const MOST_NOTES: usize = 3;
/// Nodes of the call tree shown for each two rows of a table.
const NODES_A_PAIR: usize = 3;
/// A region below this share of the run has no row.
const LEAST_REGION: f64 = 0.005;
/// A cell with a share below this is empty.
const LEAST_CELL: f64 = 0.0005;

pub(super) fn brief(page: &mut Page, analysis: &Analysis, top: usize) {
    head::head(page, analysis);
    threads(page, analysis);
    placed::line(page, analysis);
    head::notes(page, analysis);
    findings::diagnosis(page, analysis, MOST_FINDINGS, MOST_DOUBTS);
    regions(page, analysis, top);
    counters::counters(page, analysis, top.div_ceil(2));
    paths::tree(page, analysis, top.max(1).saturating_mul(NODES_A_PAIR) / 2);
    let rows = top.div_ceil(2);
    // Without debug information there are no lines.
    if !paths::lines(page, analysis, rows) {
        paths::functions(page, analysis, rows);
    }
    findings::looked_for(page, analysis);
    findings::notes(page, analysis, MOST_NOTES);
    more(page, analysis);
}

/// The words for
/// [`ThreadRow::overhead_without_cpu`](crate::model::ThreadRow::overhead_without_cpu).
const LATE: &str = "waiting for a CPU on their way into regions";

fn overhead_without_cpu(analysis: &Analysis) -> u64 {
    total(analysis.threads().iter().map(ThreadRow::overhead_without_cpu))
}

/// Shows how the threads' time is split, in one line.
fn threads(page: &mut Page, analysis: &Analysis) {
    let summary = analysis.summary();
    let overhead = total(analysis.threads().iter().map(|row| row.overhead));
    let waits = summary.openmp_wait.saturating_sub(overhead);
    let late = overhead_without_cpu(analysis);
    let parts = [
        (summary.openmp_work, "at work"),
        (waits, "waiting for other threads"),
        (overhead - late, "in the OpenMP runtime and the profiler"),
        (late, LATE),
        (summary.blocked, "blocked in calls (as of read or sleep)"),
        (summary.mpi, "in MPI"),
        (summary.without_cpu, "without a CPU"),
    ];
    let shown: Vec<String> = parts
        .iter()
        .filter(|(time, _)| ratio(*time, summary.alive) >= LEAST_CELL)
        .map(|(time, what)| format!("{} {what}", percent(ratio(*time, summary.alive))))
        .collect();
    if !shown.is_empty() {
        page.pair("threads", &format!("were {}", shown.join(", ")));
    }
}

/// Shows the regions with the most elapsed time.
fn regions(page: &mut Page, analysis: &Analysis, top: usize) {
    let rows = analysis.regions();
    if rows.is_empty() {
        return;
    }
    let elapsed = analysis.summary().elapsed;
    let share = |row: &RegionRow| ratio(row.elapsed, elapsed);
    let is_large = |row: &&RegionRow| share(row) >= LEAST_REGION;
    let shown: Vec<&RegionRow> = match rows.iter().filter(is_large).count() {
        0 => rows.iter().take(1).collect(),
        _ => rows.iter().filter(is_large).take(top.max(1)).collect(),
    };
    page.heading("Parallel regions by their share of the run, and what their threads did (%)");
    let columns = [
        "of the run", "entered", "threads", "work", "wait", "no CPU", "blocked", "overhead", "gain",
    ];
    let mut table = Table::new("region", &columns);
    for row in &shown {
        let indent = 2 * (row.level.clamp(1, 8) as usize - 1);
        let label = row.construct.label.trim_start_matches("region at ");
        table.row(format!("{:indent$}{label}", ""), cells(row, share(row)));
    }
    let table = table.without_empty_columns();
    table.print(page);
    if rows.len() > shown.len() {
        let rest = total(rows.iter().map(|row| row.elapsed))
            .saturating_sub(total(shown.iter().map(|row| row.elapsed)));
        let rest = percent(ratio(rest, elapsed));
        page.text(2, &format!("and {} more, together {rest} of the run", rows.len() - shown.len()));
    }
    let is_late = ratio(overhead_without_cpu(analysis), analysis.summary().alive) >= LEAST_CELL;
    legend(page, &table, &shown, is_late);
}

/// Explains the words in the table's head.
fn legend(page: &mut Page, table: &Table, shown: &[&RegionRow], is_late: bool) {
    let overhead = match is_late {
        true => {
            "overhead: in the OpenMP runtime and the profiler, or waiting for a CPU on the way in"
        }
        false => "overhead: in the OpenMP runtime and the profiler",
    };
    let mut words = vec!["wait: for other threads, locks or tasks"];
    let of_columns = [
        ("no CPU", "no CPU: able to run, and kept from it"),
        ("blocked", "blocked: asleep in calls such as read"),
        ("overhead", overhead),
        ("gain", "gain: elapsed time that perfect balance would give back"),
    ];
    words.extend(of_columns.iter().filter(|(name, _)| table.has(name)).map(|(_, words)| *words));
    if shown.iter().any(|row| row.level > 1) {
        words.push("regions inside of others (indented) run side by side, and may add up to more");
    }
    page.dim_text(2, &words.join("; "));
}

fn cells(row: &RegionRow, share: f64) -> Vec<String> {
    let all = row.thread_time();
    let part = |time: u64| match ratio(time, all) {
        little if little < LEAST_CELL => String::new(),
        share => percent(share).replace(" %", ""),
    };
    let gain = match row.gain {
        little if (little as f64) < LEAST_CELL * row.elapsed as f64 => String::new(),
        time => duration(time as f64),
    };
    let waits = row.barrier_wait.saturating_add(row.mutex_wait).saturating_add(row.task_wait);
    vec![
        percent(share),
        row.entered().map_or_else(|| "-".to_owned(), count),
        format!("{:.1}", row.team_size()).trim_end_matches(".0").to_owned(),
        part(row.work),
        part(waits),
        part(row.without_cpu),
        part(row.blocked),
        // The column is always there, so that its absence raises no question.
        Some(part(row.overhead)).filter(|cell| !cell.is_empty()).unwrap_or("0".to_owned()),
        gain,
    ]
}

/// Names the other tables of the profile.
fn more(page: &mut Page, analysis: &Analysis) {
    if !analysis.used_openmp() {
        return;
    }
    let constructs = analysis.regions().iter().any(|row| !row.constructs.is_empty());
    let tables: Vec<&str> = [
        (!analysis.threads().is_empty(), "threads"),
        (!analysis.regions().is_empty(), "regions with their callers"),
        (constructs, "the loops and other constructs inside of them"),
        (!analysis.tasks().is_empty(), "tasks"),
        (!analysis.targets().is_empty(), "target constructs"),
        (!analysis.mutexes().is_empty(), "locks and critical regions"),
        (analysis.tree().total > 0, "functions"),
        (analysis.counters().is_some(), "counters by function"),
    ]
    .into_iter()
    .filter_map(|(is_there, name)| is_there.then_some(name))
    .collect();
    page.heading("More");
    page.text(2, &format!("`omphalos report --all FILE` has every table: {}", tables.join(", ")));
}
