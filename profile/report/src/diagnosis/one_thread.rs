//! Regions that run on one thread although there are more CPUs: they share nothing.

use super::{Disease, Finding, SERIAL_SHARE, TINY_WORK, company, duration, percent};
use crate::Analysis;
use crate::model::{RegionRow, ratio, total};

/// How many regions are named after the first one of a finding of several.
const NAMED_OTHERS: usize = 2;

/// A region of one thread, and the gain that others could give it.
struct Alone<'a> {
    row: &'a RegionRow,
    /// Its time without that of inner regions that have a team, ns.
    time: u64,
    /// The time that a thread on each CPU would save, ns.
    cost: f64,
}

/// Returns one finding for each region that takes much of the run, and one for all others together.
pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let alone = regions(analysis);
    // Threads that use no OpenMP may have used the other CPUs meanwhile.
    let company = company(analysis);
    let is_long =
        |time: u64| ratio(time.saturating_sub(company), analysis.summary().covered) >= SERIAL_SHARE;
    let (long, short): (Vec<_>, Vec<_>) =
        alone.into_iter().partition(|region| is_long(region.time));
    let mut findings: Vec<Finding> =
        long.iter().map(|region| finding(analysis, std::slice::from_ref(region))).collect();
    if is_long(total(short.iter().map(|region| region.time))) {
        findings.push(finding(analysis, &short));
    }
    findings
}

/// Returns the line for all regions of one thread: `its 6 regions have one thread on 2 CPUs, for
/// 0.7 s of 4.0 s elapsed (17 %)`; `None` where there is nothing to say.
pub(super) fn summary_line(analysis: &Analysis) -> Option<String> {
    let alone = regions(analysis);
    let whose = match alone.len() {
        0 => return None,
        1 => "its region has".to_owned(),
        several => format!("its {several} regions have"),
    };
    Some(format!("{whose} {}", measured(analysis, &alone)))
}

/// Returns how many threads each region could have had where all have one: as many as there are
/// CPUs, without those that the program's own threads use meanwhile.
pub(super) fn possible_team(analysis: &Analysis) -> f64 {
    let summary = analysis.summary();
    if summary.cpus < 2 || is_asked_by_user(&summary.environment) {
        return 1.0;
    }
    let work = |thread: &crate::ThreadRow| thread.openmp_work();
    let longest = analysis.threads().iter().map(work).max().unwrap_or(0);
    let at_work = ratio(total(analysis.threads().iter().map(work)), longest).max(1.0);
    (f64::from(summary.cpus) / at_work.round()).max(1.0)
}

/// Returns the regions of one thread, the longest first.
fn regions(analysis: &Analysis) -> Vec<Alone<'_>> {
    let summary = analysis.summary();
    if summary.cpus < 2 || is_asked_by_user(&summary.environment) {
        return Vec::new();
    }
    // Inside a team, most often one thread is what was asked for.
    let is_alone = |row: &&RegionRow| row.level == 1 && row.team_size() < 1.05;
    // More threads make no region faster that is shorter than a team's begin and end.
    let is_tiny = |row: &RegionRow| row.is_counted && row.mean_elapsed() < TINY_WORK;
    // Threads that the program made itself share the CPUs.
    let unused =
        |row: &RegionRow| (1.0 - row.cpu_threads.max(1) as f64 / f64::from(summary.cpus)).max(0.0);
    let rows = analysis.regions().iter().filter(is_alone);
    let rows = rows.filter(|row| unused(row) > 0.0 && !is_tiny(row));
    let alone = rows.map(|row| {
        let time = alone(analysis, row);
        Alone { row, time, cost: row.work.min(time) as f64 * unused(row) }
    });
    let mut alone: Vec<_> = alone.collect();
    alone.sort_by_key(|region| std::cmp::Reverse(region.time));
    alone
}

/// Whether the user asked for one thread: then the program is not at fault.
pub(super) fn is_asked_by_user(environment: &[String]) -> bool {
    const ONE: [(&str, &str); 5] = [
        ("OMP_NUM_THREADS", "1"),
        ("OMP_THREAD_LIMIT", "1"),
        ("KMP_DEVICE_THREAD_LIMIT", "1"),
        ("KMP_ALL_THREADS", "1"),
        ("OMP_MAX_ACTIVE_LEVELS", "0"),
    ];
    environment.iter().filter_map(|variable| variable.split_once('=')).any(|(name, value)| {
        // A list has a number for each level.
        let outermost = value.split(',').next().unwrap_or_default().trim();
        ONE.contains(&(name, outermost))
    })
}

/// Makes the finding for one region, or for several together, at the longest of them.
fn finding(analysis: &Analysis, alone: &[Alone]) -> Finding {
    let construct = &alone[0].row.construct;
    let whose = match alone.len() {
        1 => "it has".to_owned(),
        2 => "it and another region have".to_owned(),
        several => format!("it and {} other regions have", several - 1),
    };
    let others = alone.iter().skip(1).take(NAMED_OTHERS);
    let others: Vec<&str> = others.map(|region| &*region.row.construct.label).collect();
    let mut evidence = format!("{whose} {}", measured(analysis, alone));
    if !others.is_empty() {
        evidence.push_str(&format!("; the next are {}", others.join(", ")));
    }
    Finding {
        disease: Disease::OneThread,
        place: construct.label.clone(),
        file: construct.file.clone(),
        line: construct.line,
        cost: alone.iter().map(|region| region.cost).sum::<f64>() as u64,
        evidence,
        advice: "give each more threads: OMP_NUM_THREADS, num_threads, an if clause, or \
                 OMP_MAX_ACTIVE_LEVELS",
    }
}

fn measured(analysis: &Analysis, alone: &[Alone]) -> String {
    let summary = analysis.summary();
    let time = total(alone.iter().map(|region| region.time));
    format!(
        "one thread on {} CPUs, for {} of {} elapsed ({})",
        summary.cpus,
        duration(time as f64),
        duration(summary.elapsed as f64),
        percent(ratio(time, summary.elapsed)),
    )
}

/// Returns a region's time without that of inner regions that have a team.
fn alone(analysis: &Analysis, row: &RegionRow) -> u64 {
    let is_inside = |inner: &&RegionRow| {
        let parent = inner.parent.as_ref();
        inner.team_size() >= 1.05 && parent.is_some_and(|p| p.label == row.construct.label)
    };
    let teams = analysis.regions().iter().filter(is_inside);
    row.elapsed.saturating_sub(total(teams.map(|inner| inner.elapsed)))
}
