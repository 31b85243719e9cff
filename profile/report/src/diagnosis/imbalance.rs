//! Load imbalance: the threads of a team work unequally long, and wait for each other.

use super::{
    AWAITED_IN_PART, AWAITED_SHARE, BARRIER_SHARE, BUSY, BUSY_ALLOWANCE, BY_OTHERS, Disease,
    FEW_ITERATIONS, Finding, IMBALANCE_SHARE, PHASES_SHARE,
};
use super::{LEAST_COST, LEAST_SHARE};
use super::{duration, masked, percent, slow_tasks};
use crate::Analysis;
use crate::model::{ConstructRow, RegionRow, ratio};
use std::fmt::Write as _;

/// Returns the findings; and doubts, which would be findings if the machine had not been busy.
pub(super) fn find(
    analysis: &Analysis,
    is_explained: &dyn Fn(&RegionRow) -> bool,
) -> (Vec<Finding>, Vec<String>) {
    let (mut findings, mut doubts) = (Vec::new(), Vec::new());
    let rows = analysis.regions().iter();
    for row in rows.filter(|row| row.team_size() > 1.0 && !is_explained(row)) {
        match unequal_work(analysis, row).or_else(|| waiting_between(analysis, row)) {
            Some(finding) => findings.push(finding),
            None => doubts.extend(doubt(analysis, row)),
        }
    }
    (findings, doubts)
}

/// Returns the doubt that would be a finding on an idle machine.
fn doubt(analysis: &Analysis, row: &RegionRow) -> Option<String> {
    let summary = analysis.summary();
    let gain = ratio(row.gain, row.elapsed);
    let waits = ratio(row.barrier_wait, row.thread_time());
    let waited = match gain >= IMBALANCE_SHARE {
        true => (row.gain as f64 * row.team_size()) as u64,
        false => row.barrier_wait,
    };
    if summary.cpu_share >= BUSY && may_lack(analysis, row) < waited / 2 {
        return None;
    }
    let lost = row.gain.max((row.barrier_wait as f64 / row.team_size().max(1.0)) as u64);
    if (gain < IMBALANCE_SHARE && waits < BARRIER_SHARE)
        || lost < LEAST_COST
        || ratio(lost, summary.covered) < LEAST_SHARE
    {
        return None;
    }
    Some(format!(
        "the threads of {} wait {} at barriers, but threads that could run had a CPU only {} of \
         the time, which does the same: record again on an idle machine",
        row.construct.label,
        duration(row.barrier_wait as f64),
        percent(summary.cpu_share),
    ))
}

/// Finds unequal work over the whole region: the gain by perfect balance is known exactly.
fn unequal_work(analysis: &Analysis, row: &RegionRow) -> Option<Finding> {
    let share = ratio(row.gain, row.elapsed);
    if share < IMBALANCE_SHARE + disturbance(analysis) {
        return None;
    }
    let mean = row.work as f64 / row.team_size().max(1.0);
    let longest = mean + row.gain as f64;
    let evidence = format!(
        "the busiest thread works {} where the mean is {}: perfect balance would give back {} of \
         the region's {} ({})",
        duration(longest),
        duration(mean),
        duration(row.gain as f64),
        duration(row.elapsed as f64),
        percent(share),
    );
    Some(finding(analysis, row, row.gain, evidence))
}

/// Finds waits between barriers inside the region: work may be equal in sum and unequal in each
/// phase.
fn waiting_between(analysis: &Analysis, row: &RegionRow) -> Option<Finding> {
    let share = ratio(row.barrier_wait, row.thread_time());
    // On a busy machine most waits tell nothing about the program.
    let is_idle = analysis.summary().cpu_share >= BUSY;
    let in_phases = ratio(row.waited_in_phases(), row.thread_time());
    let is_likely = is_idle
        && (share >= BARRIER_SHARE + disturbance(analysis)
            || in_phases >= PHASES_SHARE + disturbance(analysis));
    let is_sure = ratio(surely_waited(analysis, row), row.thread_time()) >= BARRIER_SHARE;
    if !is_likely && !is_sure {
        return None;
    }
    let cost = (row.barrier_wait as f64 / row.team_size().max(1.0)) as u64;
    Some(finding(analysis, row, cost, waited_in(analysis, row, row.barrier_wait, "at barriers")))
}

/// Says how long the region's threads wait, ns, and where.
fn waited_in(analysis: &Analysis, row: &RegionRow, waited: u64, place: &str) -> String {
    format!(
        "its threads spend {} of their time in the region ({} of {}) waiting {place}, {} of all \
         time of the program",
        percent(ratio(waited, row.thread_time())),
        duration(waited as f64),
        duration(row.thread_time() as f64),
        percent(ratio(waited, analysis.summary().alive)),
    )
}

/// Returns how much more than usual a share must be where threads were kept from running. Work is
/// only the time that ran. But a thread that shares its core with other programs runs slower; and
/// where chunks are handed out as threads ask for them, the others take the part of a thread that
/// is kept from running.
fn disturbance(analysis: &Analysis) -> f64 {
    BUSY_ALLOWANCE * (1.0 - analysis.summary().cpu_share)
}

/// Returns for how long threads of the region waited at most because one of them lacked a CPU, ns:
/// each of the others waited for as long as that one lacked it.
fn may_lack(analysis: &Analysis, row: &RegionRow) -> u64 {
    let lacked = (1.0 - analysis.summary().cpu_share).max(0.0) * row.thread_time() as f64;
    (lacked * (row.team_size() - 1.0)) as u64
}

/// Returns the least time that threads waited at barriers, whatever the machine did. While one
/// thread executes a single the others have nothing else to do.
fn surely_waited(analysis: &Analysis, row: &RegionRow) -> u64 {
    let alone = row.constructs.iter().filter(|inner| is_of_one_thread(inner)).map(|inner| {
        let ran = inner.time.unwrap_or(0).saturating_sub(row.without_cpu);
        inner.wait.unwrap_or(0).min((ran as f64 * (row.team_size() - 1.0)) as u64)
    });
    row.barrier_wait.saturating_sub(may_lack(analysis, row)).max(alone.max().unwrap_or(0))
}

/// Returns the construct inside the region behind which most of the waits are, if it has a place of
/// its own.
fn awaited(row: &RegionRow) -> Option<(&ConstructRow, u64)> {
    let own = |inner: &&ConstructRow| {
        let is_regions = row.construct.line > 0 && inner.construct.line == row.construct.line;
        !is_regions && !inner.is_mutex() && !inner.place(row).is_empty()
    };
    let waits = row.constructs.iter().filter(own).filter_map(|inner| Some((inner, inner.wait?)));
    let most = waits.max_by_key(|(_, wait)| *wait);
    let is_most = |wait: u64| ratio(wait, row.barrier_wait) >= AWAITED_SHARE;
    most.filter(|(_, wait)| is_most(*wait)).or_else(|| {
        // gcc gives a single at a region's end no barrier of its own: the threads wait in the
        // region's barrier.
        let end = row.constructs.iter().find(|inner| inner.name == "end of the region")?;
        let wait = end.wait.filter(|wait| is_most(*wait))?;
        let time = |inner: &ConstructRow| inner.time.unwrap_or(0);
        let is_single = |inner: &&ConstructRow| {
            is_of_one_thread(inner) && ratio(time(inner), row.elapsed) >= AWAITED_SHARE
        };
        let own = || row.constructs.iter().filter(own);
        let single = own().find(is_single);
        // A loop with nowait has no barrier either.
        let at_work = row.thread_time().saturating_sub(row.barrier_wait);
        let of_all = own().max_by_key(|inner| time(inner));
        let of_all = of_all.filter(|inner| ratio(time(inner), at_work) >= AWAITED_SHARE);
        Some((single.or(of_all)?, wait))
    })
}

/// Returns the construct that is one with the region, as in `parallel for`, if most of the waits
/// are behind it: its place tells nothing, but its kind chooses the advice.
fn combined(row: &RegionRow) -> Option<&ConstructRow> {
    let is_it = |inner: &&ConstructRow| {
        let is_waited_for =
            inner.wait.is_some_and(|wait| ratio(wait, row.barrier_wait) >= AWAITED_SHARE);
        let is_there = row.construct.label.ends_with(&*inner.construct.label);
        is_there && !inner.is_mutex() && is_waited_for
    };
    row.constructs.iter().find(is_it)
}

/// Returns the constructs behind which the waits are, if no single one has most of them.
fn awaited_in_part(row: &RegionRow) -> Vec<(&ConstructRow, u64)> {
    let is_large = |wait: &u64| ratio(*wait, row.barrier_wait) >= AWAITED_IN_PART;
    let own = row.constructs.iter().filter(|inner| !inner.is_mutex());
    let mut places: Vec<_> =
        own.filter_map(|inner| Some((inner, inner.wait.filter(is_large)?))).collect();
    places.sort_by_key(|(_, wait)| std::cmp::Reverse(*wait));
    if places.len() < 2 { Vec::new() } else { places }
}

/// Whether one thread executes the construct, and the others wait.
fn is_of_one_thread(inner: &ConstructRow) -> bool {
    inner.name.starts_with("single") || masked::is_masked(inner)
}

fn finding(analysis: &Analysis, row: &RegionRow, cost: u64, evidence: String) -> Finding {
    // Work in tasks is shared as the tasks come: threads that wait have none to execute. Tasks may
    // take turns on all threads, and then no thread works longest.
    let in_tasks = row.tasks_executed > 0 && row.task_work * 2 >= row.work;
    let waited = row.barrier_wait.saturating_add(row.task_wait);
    let each = (waited as f64 / row.team_size().max(1.0)) as u64;
    let (cost, mut evidence) = match in_tasks && each > cost {
        true => (each, waited_in(analysis, row, waited, "at barriers and for tasks")),
        false => (cost, evidence),
    };
    let awaited = awaited(row);
    let places = match awaited {
        Some(place) => vec![place],
        None if in_tasks => Vec::new(),
        None => awaited_in_part(row),
    };
    for (at, (inner, wait)) in places.iter().enumerate() {
        let lead = if at == 0 { "; " } else { ", " };
        let of = if at == 0 { " of the waits are" } else { "" };
        let place = format!("{} {}", inner.name, inner.place(row));
        let _ =
            write!(evidence, "{lead}{}{of} behind {}", duration(*wait as f64), place.trim_end());
    }
    let masked = awaited.and_then(|barrier| masked::before(analysis, row, barrier));
    if let Some(inner) = masked {
        let _ = write!(evidence, ", where they wait for {} {}", inner.name, inner.place(row));
    }
    if in_tasks && let Some(slow) = slow_tasks::find(analysis, row) {
        return Finding {
            disease: slow.disease,
            place: slow.row.construct.label.clone(),
            file: slow.row.construct.file.clone(),
            line: slow.row.construct.line,
            cost,
            evidence: format!("{}; {}: {evidence}", slow.evidence, row.construct.label),
            advice: slow.advice,
        };
    }
    Finding {
        disease: if in_tasks { Disease::TaskShortage } else { Disease::Imbalance },
        place: row.construct.label.clone(),
        file: row.construct.file.clone(),
        line: row.construct.line,
        cost,
        evidence,
        advice: if in_tasks {
            "let more tasks be there at a time: fewer dependences, smaller tasks, several threads \
             that make them"
        } else {
            advice(row, masked.or(awaited.map(|(inner, _)| inner)).or_else(|| combined(row)))
        },
    }
}

/// Returns the advice where work is not in tasks.
fn advice(row: &RegionRow, awaited: Option<&ConstructRow>) -> &'static str {
    let has = |name: &str| row.constructs.iter().any(|inner| inner.name == name);
    let is = |name: &str| awaited.is_some_and(|inner| inner.name == name);
    // gcc's code does not tell the runtime of a masked region.
    if awaited.is_none_or(is_of_one_thread) && row.tasks_executed > 0 {
        "the thread that makes the tasks works longest: put its own work into the tasks, or let \
         several threads make them (taskloop, tasks that make tasks)"
    } else if awaited.is_some_and(masked::is_masked) {
        "one thread works while the others wait: share that work, or let them go on meanwhile with \
         what does not need it"
    } else if awaited.is_some_and(is_of_one_thread) {
        "one thread works while the others wait: let them go on (nowait), or share that work"
    } else if has("ordered") && is_of_few_threads(row) {
        "iterations take turns in ordered, so that one thread works at a time: do less inside of \
         it, or leave it out where the order is not needed"
    } else if awaited.is_some_and(|inner| inner.name.contains("(guided)")) {
        "guided deals long chunks out first, and one of them has more work than its share: \
         schedule(dynamic) with small chunks"
    } else if awaited.is_some_and(|inner| has_few_iterations(inner, row)) {
        "the loop has hardly more iterations than threads: put it together with the loop inside \
         (collapse), or make that one the parallel loop"
    } else if awaited.is_some_and(|inner| inner.name.contains("(dynamic)")) {
        "deal out smaller chunks: a smaller number in schedule(dynamic, N), or iterations that do \
         less"
    } else if has("workshare") && is_of_few_threads(row) {
        "one thread executes what is in workshare: write array assignments as loops (do), which \
         all threads share"
    } else if is("sections") || (is("end of the region") && has("sections")) {
        "there are as many pieces of work as sections, and the longest one counts: make more and \
         shorter ones of like length, or a loop or tasks of them"
    } else if is_of_few_threads(row) {
        "one thread does nearly all of the work: share it (a loop, tasks), or let the others go on \
         without it (nowait)"
    } else if row.waited_in_phases() / 2 > row.imbalance {
        "the threads work equally long in sum, and not between the barriers: let them go on where \
         nothing needs the barrier (nowait), or give each the same work in each part: \
         schedule(dynamic) or (guided), smaller chunks"
    } else {
        "give each thread the same work: schedule(dynamic) or (guided), smaller chunks, or tasks"
    }
}

/// Whether the construct is a loop that no schedule can deal out evenly.
fn has_few_iterations(inner: &ConstructRow, row: &RegionRow) -> bool {
    let is_loop = ["for", "do"].iter().any(|word| inner.name.starts_with(&format!("{word} (")));
    let each = inner.iterations.map(|iterations| ratio(iterations, inner.instances));
    is_loop && each.is_some_and(|each| each < FEW_ITERATIONS * row.team_size())
}

/// Whether the team's busiest thread does nearly all of the work.
fn is_of_few_threads(row: &RegionRow) -> bool {
    let mean = row.work as f64 / row.team_size().max(1.0);
    let others = row.work as f64 - mean - row.gain as f64;
    others <= BY_OTHERS * row.work as f64
}
