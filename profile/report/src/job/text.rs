//! Makes a job's report for a terminal.

use super::{Job, Row, groups};
use crate::diagnosis::{count, duration, percent};
use crate::text::TextOptions;
use crate::text::page::{Page, Table};

/// The number of findings on the short page.
const FINDINGS: usize = 3;
/// If threads were without a processor for more than this share of their lives, the report says so.
const CROWDED: f64 = 0.1;
/// Threads with a processor for more than this share of their work count as always having one.
const WITH_CPU: f64 = 0.98;
/// A table shows less than this share of the run as nothing.
const NOTHING: f64 = 1e-4;

pub(super) fn render(job: &Job, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    let command = job.command.join(" ");
    page.heading(&format!("{command}: a job of {} ranks", job.size));
    head(&mut page, job);
    for warning in &job.warnings {
        page.alarm(2, warning);
    }
    findings(&mut page, job, options);
    factors(&mut page, job);
    ranks(&mut page, job);
    calls(&mut page, job, options.top);
    page.finish()
}

fn head(page: &mut Page, job: &Job) {
    let nodes = match &job.nodes[..] {
        [one] => format!("node {one}"),
        several => format!("{} nodes", several.len()),
    };
    let library = match (job.library.is_empty(), job.level.is_empty()) {
        (true, _) if job.calls_mpi() => "the library of MPI is not known".to_owned(),
        (true, _) => "no call of MPI was seen".to_owned(),
        (false, true) => job.library.clone(),
        (false, false) => format!("{} ({})", job.library, job.level),
    };
    page.text(2, &format!("{} on {nodes}; {library}", duration(job.elapsed as f64)));
    if let Some(run) = job.run {
        let run = duration(run as f64);
        page.text(2, &format!("only that was measured of a run of {run}: all figures are of it"));
    }
    if let Some(unsure) = job.clocks_unsure {
        page.text(
            2,
            &format!(
                "the nodes' clocks are compared to {} by calls of all ranks",
                duration(unsure as f64)
            ),
        );
    }
    let alive: u64 = job.rows.iter().map(|row| row.alive).fold(0, u64::saturating_add);
    let queued = job.rows.iter().map(|row| row.without_cpu + row.mpi_without_cpu);
    let queued = queued.fold(0, u64::saturating_add);
    let share = queued as f64 / alive.max(1) as f64;
    if share > CROWDED {
        page.alarm(
            2,
            &format!(
                "for {} of their time threads could run and had no CPU: there are more of them on \
                 a node than CPUs, or other programs, or all are bound to few, or a control group \
                 stops them; ranks wait for that in MPI too",
                percent(share)
            ),
        );
    }
}

fn findings(page: &mut Page, job: &Job, options: &TextOptions) {
    page.heading("What costs most");
    if job.findings.is_empty() {
        page.text(2, "nothing that is worth a change was found between the ranks");
    }
    let most = if options.all { usize::MAX } else { FINDINGS };
    for (number, finding) in job.findings.iter().take(most).enumerate() {
        let cost = format!("{} of {}", duration(finding.cost as f64), duration(job.elapsed as f64));
        page.alarm(5, &format!("{}. {} ({cost})", number + 1, finding.name));
        page.text(5, &finding.evidence);
        page.text(5, &format!("-> {}", finding.advice));
    }
}

fn factors(page: &mut Page, job: &Job) {
    let factors = &job.factors;
    page.heading(&format!(
        "Efficiency: {} of the threads' time is work",
        percent(factors.parallel)
    ));
    let mut table = Table::new("", &["efficiency"]);
    let mut row = |name: &str, share: f64| table.row(name.to_owned(), vec![percent(share)]);
    match job.calls_mpi() {
        true => {
            row("MPI", factors.mpi);
            row("  balance between ranks", factors.balance);
            row("  communication", factors.communication);
        }
        false => row("balance between ranks", factors.mpi),
    }
    row("OpenMP, within the ranks", factors.openmp);
    if factors.cpu < WITH_CPU {
        row("having a CPU", factors.cpu);
    }
    table.print(page);
}

fn ranks(page: &mut Page, job: &Job) {
    let groups = groups::of(&job.rows);
    page.heading("Ranks: the mean of those alike, each time summed over threads");
    let columns = [
        "threads", "work", "serial", "OpenMP wait", "MPI wait", "transfer", "other MPI", "blocked",
        "no CPU",
    ];
    let mut table = Table::new("ranks", &columns);
    for group in &groups {
        let numbers: Vec<u32> = group.iter().map(|at| job.rows[*at].rank).collect();
        let mean = |figure: &dyn Fn(&Row) -> u64| {
            let sum: f64 = group.iter().map(|at| figure(&job.rows[*at]) as f64).sum();
            match sum / group.len() as f64 {
                mean if mean < NOTHING * job.elapsed as f64 => String::new(),
                mean => duration(mean),
            }
        };
        let name = match numbers.len() {
            1 => groups::ranges(&numbers),
            many => format!("{} ({many})", groups::ranges(&numbers)),
        };
        table.row(
            name,
            vec![
                job.rows[group[0]].threads.to_string(),
                mean(&|row| row.work),
                mean(&|row| row.serial),
                mean(&|row| row.openmp_wait),
                mean(&|row| row.mpi_wait),
                mean(&|row| row.mpi_transfer),
                mean(&|row| row.mpi_other),
                mean(&|row| row.blocked),
                mean(&|row| row.without_cpu),
            ],
        );
    }
    table.without_empty_columns().print(page);
    let idle: Vec<u32> =
        job.rows.iter().filter(|row| !row.used_openmp).map(|row| row.rank).collect();
    if !idle.is_empty() {
        page.text(2, &format!("without OpenMP: {}", groups::ranges(&idle)));
    }
}

fn calls(page: &mut Page, job: &Job, top: usize) {
    if job.calls.is_empty() {
        return;
    }
    page.heading("Calls of MPI, over all ranks");
    let mut table = Table::new("call", &["ranks", "calls", "time", "waiting", "longest"]);
    for row in job.calls.iter().take(top) {
        table.row(
            format!("{} at {}", row.function, row.place),
            vec![
                row.ranks.to_string(),
                count(row.count),
                duration(row.elapsed as f64),
                row.wait.map_or_else(|| "-".to_owned(), |wait| duration(wait as f64)),
                duration(row.longest as f64),
            ],
        );
    }
    table.print(page);
}
