//! Threads, regions, tasks and mutexes as tables. Times are milliseconds.

use std::collections::BTreeSet;

use super::callers;
use super::page::{Page, Table};
use crate::Analysis;
use crate::diagnosis::{count, duration, percent};
use crate::model::{TaskRow, ThreadRow, add, ratio};
use crate::render::json::thread_kind;

pub(super) fn ms(ns: u64) -> String {
    let ms = ns as f64 / 1e6;
    if ms >= 0.05 || ns == 0 { format!("{ms:.1}") } else { format!("{ms:.3}") }
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.1}", ratio(part, whole) * 100.0)
}

pub(super) fn threads(page: &mut Page, analysis: &Analysis, top: usize) {
    let rows = analysis.threads();
    if rows.is_empty() {
        return;
    }
    page.heading("OpenMP Work and OpenMP Wait by thread (ms)");
    let columns = [
        "alive", "Work", "%", "Wait", "%", "serial", "no CPU", "blocked", "MPI", "barrier",
        "mutex", "tasks", "idle", "overhead",
    ];
    let mut table = Table::new("thread", &columns);
    let mut sum = ThreadRow::default();
    let shown = outstanding(rows, top.max(4).saturating_mul(2));
    for (i, row) in rows.iter().enumerate() {
        if shown.contains(&i) {
            table.row(format!("{} {}", row.thread, thread_kind(row.kind)), cells(row));
        }
        for (total, part) in [
            (&mut sum.alive, row.alive),
            (&mut sum.work, row.work),
            (&mut sum.serial_work, row.serial_work),
            (&mut sum.without_cpu, row.without_cpu),
            (&mut sum.blocked, row.blocked),
            (&mut sum.mpi, row.mpi),
            (&mut sum.idle, row.idle),
            (&mut sum.barrier_wait, row.barrier_wait),
            (&mut sum.mutex_wait, row.mutex_wait),
            (&mut sum.task_wait, row.task_wait),
            (&mut sum.overhead, row.overhead),
        ] {
            add(total, part);
        }
    }
    let all = if shown.len() < rows.len() {
        format!("all {} ({} not shown)", rows.len(), rows.len() - shown.len())
    } else {
        format!("all {}", rows.len())
    };
    table.row(all, cells(&sum));
    table.without_empty_columns().print(page);
    let summary = analysis.summary();
    let neither = summary.blocked + summary.without_cpu + summary.mpi;
    let sum = summary.openmp_work + neither + summary.openmp_wait;
    let whole = summary.threads.saturating_mul(summary.elapsed);
    let blocked = if summary.blocked > 0 { " + blocked" } else { "" };
    let queued = if summary.without_cpu > 0 { " + no CPU" } else { "" };
    let in_mpi = if summary.mpi > 0 { " + MPI" } else { "" };
    let product = format!("threads x elapsed ({} x {} ms)", summary.threads, ms(summary.elapsed));
    // A thread that begins later, or ends earlier, is alive for less.
    let of_what = if ratio(summary.alive, whole) >= 0.98 {
        format!("{} of {product}", percent(ratio(sum, whole)))
    } else {
        format!(
            "{} of the time that the threads were alive, which is {} of {product}",
            percent(ratio(sum, summary.alive)),
            percent(ratio(summary.alive, whole)),
        )
    };
    page.text(2, &format!("Work + Wait{blocked}{queued}{in_mpi} = {} ms, {of_what}", ms(sum)));
}

/// Returns at most so many threads: the first one, and the others whose Work differs most from the
/// usual, since a reader looks for the odd ones.
fn outstanding(rows: &[ThreadRow], most: usize) -> BTreeSet<usize> {
    let mut work: Vec<u64> = rows.iter().map(ThreadRow::openmp_work).collect();
    work.sort_unstable();
    let median = work.get(work.len() / 2).copied().unwrap_or(0);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let distance = |at: usize| rows[at].openmp_work().abs_diff(median);
    order.sort_by_key(|&at| (at != 0, std::cmp::Reverse(distance(at)), at));
    order.into_iter().take(most).collect()
}

fn cells(row: &ThreadRow) -> Vec<String> {
    vec![
        ms(row.alive),
        ms(row.openmp_work()),
        share(row.openmp_work(), row.alive),
        ms(row.openmp_wait()),
        share(row.openmp_wait(), row.alive),
        ms(row.serial_work),
        ms(row.without_cpu),
        ms(row.blocked),
        ms(row.mpi),
        ms(row.barrier_wait),
        ms(row.mutex_wait),
        ms(row.task_wait),
        ms(row.idle),
        ms(row.overhead),
    ]
}

pub(super) fn regions(page: &mut Page, analysis: &Analysis, top: usize) {
    let rows = analysis.regions();
    if rows.is_empty() {
        return;
    }
    page.heading(
        "Parallel regions by source line (ms; all but elapsed and gain summed over threads)",
    );
    let columns = [
        "entered", "threads", "elapsed", "work", "no CPU", "blocked", "barrier", "mutex", "tasks",
        "overhead", "imbalance", "gain",
    ];
    let mut table = Table::new("region", &columns);
    for row in rows.iter().take(top.max(1)) {
        let label = row.construct.label.trim_start_matches("region at ");
        let indent = 2 * (row.level.clamp(1, 8) as usize - 1);
        table.row(
            format!("{:indent$}{label}", ""),
            vec![
                row.entered().map_or_else(|| "-".to_owned(), count),
                format!("{:.1}", row.team_size()),
                ms(row.elapsed),
                ms(row.work),
                ms(row.without_cpu),
                ms(row.blocked),
                ms(row.barrier_wait),
                ms(row.mutex_wait),
                ms(row.task_wait),
                ms(row.overhead),
                ms(row.imbalance),
                ms(row.gain),
            ],
        );
    }
    let table = table.without_empty_columns();
    table.print(page);
    if rows.len() > top.max(1) {
        page.text(2, &format!("and {} more", rows.len() - top.max(1)));
    }
    if table.has("imbalance") || table.has("gain") {
        page.text(
            2,
            "imbalance: what the other threads worked less than the busiest, or waited for each \
             other at barriers inside; gain: the elapsed time that perfect balance would give back",
        );
    }
    callers::regions(page, analysis, top);
}

pub(super) fn tasks(page: &mut Page, analysis: &Analysis, top: usize) {
    let rows = analysis.tasks();
    if rows.is_empty() {
        return;
    }
    page.heading("Tasks by construct");
    let is_estimate = rows.iter().take(top.max(1)).any(TaskRow::is_estimate);
    let mut columns = vec!["created", "executed", "by others", "work ms"];
    columns.extend(is_estimate.then_some("+-"));
    let sleeps = rows.iter().take(top.max(1)).any(|row| ms(row.blocked) != "0.0");
    columns.extend(sleeps.then_some("blocked"));
    columns.extend(["mean", "shortest", "longest"]);
    columns.extend(is_estimate.then_some("timed"));
    let mut table = Table::new("task", &columns);
    for row in rows.iter().take(top.max(1)) {
        let mut cells =
            vec![count(row.created), count(row.executed), count(row.stolen), ms(row.work)];
        cells.extend(is_estimate.then(|| ms(row.deviation)));
        cells.extend(sleeps.then(|| ms(row.blocked)));
        cells.push(duration(row.mean_time()));
        let known = row.longest > 0;
        let length = |time: u64| if known { duration(time as f64) } else { "-".to_owned() };
        cells.extend([row.shortest, row.longest].map(length));
        cells.extend(is_estimate.then(|| percent(ratio(row.timed, row.executed))));
        table.row(row.construct.label.trim_start_matches("task at ").to_owned(), cells);
    }
    table.print(page);
    let by_others = "by others: executed by another thread than the one that created them";
    let untimed = match rows.iter().take(top.max(1)).any(|row| row.longest == 0) {
        true => "; -: none was timed",
        false => "",
    };
    page.text(2, &format!("{by_others}{untimed}"));
    if is_estimate {
        page.text(
            2,
            "tasks came too fast to time each: all are counted, work is estimated from those that \
             were timed (+-: one standard deviation)",
        );
    }
}

pub(super) fn mutexes(page: &mut Page, analysis: &Analysis, top: usize) {
    // Mutexes that nobody waits for are no news: the first few are enough.
    let alive = analysis.summary().alive;
    let rows: Vec<_> = analysis
        .mutexes()
        .iter()
        .filter(|row| row.acquisitions > 0)
        .enumerate()
        .filter(|(i, row)| *i < 3 || ratio(row.wait, alive) >= 0.0005)
        .map(|(_, row)| row)
        .collect();
    if rows.is_empty() {
        return;
    }
    let is_estimate = rows.iter().take(top.max(1)).any(|row| row.timed < row.acquisitions);
    page.heading("Locks and critical regions by wait");
    let columns = ["acquired", "waited", "wait ms", "longest", "held ms"];
    let known = |is_known: bool, cell: String| if is_known { cell } else { "-".to_owned() };
    let mut table = Table::new("mutex", &columns);
    for row in rows.iter().take(top.max(1)) {
        let site = match &row.sites[..] {
            [] => String::new(),
            [(only, _)] if row.name.contains(&*only.label) => String::new(),
            [(only, _)] => format!(", {}", only.label),
            [(first, _), rest @ ..] => format!(", {} and {} more", first.label, rest.len()),
        };
        table.row(
            format!("{}{site}", row.name),
            vec![
                known(!row.only_waits, count(row.acquisitions)),
                count(row.contended),
                ms(row.wait),
                duration(row.longest_wait as f64),
                known(!row.only_waits, ms(row.hold)),
            ],
        );
    }
    table.print(page);
    if rows.iter().take(top.max(1)).any(|row| row.only_waits) {
        page.text(2, "-: unknown, for the runtime tells of waits alone");
    }
    if is_estimate {
        page.text(
            2,
            "acquisitions came too fast to time each: all are counted, waits and holds are \
             estimated from those that were timed",
        );
    }
}
