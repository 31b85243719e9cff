//! A profile in less than a thousand words for programs that read text: coding agents. One JSON
//! object on one line; each number's name ends in its unit; `ruled_out` names what was looked for
//! and is not the cause. `docs/digest.schema.json` describes it.

use serde_json::{Map, Value, json};

use super::short::cut;
use crate::diagnosis::{self, Finding};
use crate::model::{RegionRow, ratio, total};
use crate::visible::visible;
use crate::{Analysis, Disease};

/// The most findings, and below the most rows of each list.
const MOST_FINDINGS: usize = 3;
const MOST_ROWS: usize = 5;
/// The most locks and task constructs.
const MOST_PLACES: usize = 3;
/// The most characters of a name, and of a sentence.
const NAME: usize = 120;
const SENTENCE: usize = 400;
/// A share below this is left out.
const LEAST_SHARE: f64 = 0.005;

/// Returns the digest of a command, as one line: of its first process, and the names of the others.
pub fn render(processes: &[&Analysis]) -> String {
    let mut text = to_value(processes).to_string();
    text.push('\n');
    text
}

/// Returns the same as a value.
pub fn to_value(processes: &[&Analysis]) -> Value {
    let [analysis, others @ ..] = processes else { return Value::Null };
    let summary = analysis.summary();
    let ruled_out = diagnosis::ruled_out(analysis);
    let mut value = json!({
        "command": name(&analysis.command()),
        "runtime": name(&summary.runtime),
        "elapsed_ms": ms(summary.elapsed),
        "serial_ms": ms(summary.serial),
        "threads": summary.threads,
        "usable_cpus": summary.usable_cpus,
        "time_of_threads": time_of_threads(analysis),
        "findings": analysis.findings().iter().take(MOST_FINDINGS).map(finding).collect::<Value>(),
        "inconclusive": sentences(analysis.doubts()),
        "ruled_out": ruled_out.iter().map(Disease::to_string).collect::<Value>(),
        "cannot_be_seen": diagnosis::unseen(analysis),
        "regions": analysis.regions().iter().take(MOST_ROWS).map(|row| {
            region(row, summary.elapsed)
        }).collect::<Value>(),
        "warnings": sentences(analysis.warnings()),
    });
    let lines = hot_lines(analysis);
    let optional = [
        ("hot_lines", lines.clone()),
        // Without debug information there are no lines.
        ("hot_functions", if lines.is_empty() { functions(analysis, MOST_ROWS) } else { vec![] }),
        ("locks", locks(analysis)),
        ("tasks", tasks(analysis)),
        ("other_processes", others.iter().take(MOST_ROWS).map(|one| process(one)).collect()),
    ];
    for (key, rows) in optional {
        if !rows.is_empty() {
            value[key] = Value::Array(rows);
        }
    }
    let all = [
        ("findings", analysis.findings().len(), MOST_FINDINGS),
        ("regions", analysis.regions().len(), MOST_ROWS),
        ("other_processes", others.len(), MOST_ROWS),
    ];
    let left_out: Map<String, Value> = all
        .iter()
        .filter(|(_, all, shown)| all > shown)
        .map(|(key, all, shown)| ((*key).to_owned(), json!(all - shown)))
        .collect();
    if !left_out.is_empty() {
        value["left_out"] = Value::Object(left_out);
    }
    value
}

fn time_of_threads(analysis: &Analysis) -> Value {
    let summary = analysis.summary();
    let overhead = total(analysis.threads().iter().map(|row| row.overhead));
    let share = |time: u64| percent(ratio(time, summary.alive));
    json!({
        "work_percent": share(summary.openmp_work),
        "wait_percent": share(summary.openmp_wait.saturating_sub(overhead)),
        "runtime_overhead_percent": share(overhead),
        "blocked_in_calls_percent": share(summary.blocked),
        "in_mpi_percent": share(summary.mpi),
        "without_cpu_percent": share(summary.without_cpu),
        "profiling_percent": share(summary.agent),
    })
}

fn finding(finding: &Finding) -> Value {
    json!({
        "problem": finding.disease.to_string(),
        "place": name(&finding.place),
        "saves_at_most_ms": ms(finding.cost),
        "evidence": sentence(&finding.evidence),
        "to_do": sentence(finding.advice),
    })
}

/// Returns a region's figures, as shares of its threads' time.
pub fn region(row: &RegionRow, elapsed: u64) -> Value {
    let all = row.thread_time();
    let waits = row.barrier_wait.saturating_add(row.mutex_wait).saturating_add(row.task_wait);
    let mut value = json!({
        "region": name(row.construct.label.trim_start_matches("region at ")),
        "share_of_run_percent": percent(ratio(row.elapsed, elapsed)),
        "elapsed_ms": ms(row.elapsed),
        "entered": row.entered(),
        "team_threads": (row.team_size() * 10.0).round() / 10.0,
    });
    let parts = [
        ("work_percent", row.work),
        ("wait_percent", waits),
        ("runtime_overhead_percent", row.overhead),
        ("blocked_in_calls_percent", row.blocked),
        ("in_mpi_percent", row.mpi),
        ("without_cpu_percent", row.without_cpu),
    ];
    for (key, time) in parts.into_iter().filter(|(_, time)| ratio(*time, all) >= LEAST_SHARE) {
        value[key] = json!(percent(ratio(time, all)));
    }
    if ratio(row.gain, elapsed) >= LEAST_SHARE {
        value["gain_of_perfect_balance_ms"] = json!(ms(row.gain));
    }
    value
}

fn hot_lines(analysis: &Analysis) -> Vec<Value> {
    let all = analysis.tree().total;
    let lines = analysis.hot_lines().iter();
    let shown = lines.filter(|line| line.line > 0 && ratio(line.time, all) >= LEAST_SHARE);
    shown
        .take(MOST_ROWS)
        .map(|line| {
            json!({
                "line": name(&line.place().unwrap_or_default()),
                "function": name(&line.function),
                "work_ms": ms(line.time),
                "share_of_threads_time_percent": percent(ratio(line.time, all)),
            })
        })
        .collect()
}

/// Returns the functions and constructs with the most own time.
pub fn functions(analysis: &Analysis, most: usize) -> Vec<Value> {
    let all = analysis.tree().total;
    let own = analysis.tree().own_times().into_iter();
    let rows = own.filter(|(_, time)| ratio(*time, all) >= LEAST_SHARE);
    let row = |(function, time): (&str, u64)| {
        json!({
            "function": name(function),
            "own_ms": ms(time),
            "share_of_threads_time_percent": percent(ratio(time, all)),
        })
    };
    rows.take(most).map(row).collect()
}

fn locks(analysis: &Analysis) -> Vec<Value> {
    let alive = analysis.summary().alive;
    let rows = analysis.mutexes().iter().filter(|row| ratio(row.wait, alive) >= LEAST_SHARE);
    let row = |row: &crate::MutexRow| {
        json!({
            "lock": name(&row.name),
            "at": row.sites.first().map(|(site, _)| name(&site.label)),
            "wait_ms": ms(row.wait),
            "acquired": row.acquisitions,
            "waited_for": row.contended,
            "held_ms": ms(row.hold),
        })
    };
    rows.take(MOST_PLACES).map(row).collect()
}

fn tasks(analysis: &Analysis) -> Vec<Value> {
    let row = |row: &crate::TaskRow| {
        json!({
            "task": name(row.construct.label.trim_start_matches("task at ")),
            "executed": row.executed,
            "executed_by_others": row.stolen,
            "work_ms": ms(row.work),
            "mean_us": (row.mean_time() / 10.0).round() / 100.0,
            "longest_us": (row.longest as f64 / 10.0).round() / 100.0,
        })
    };
    analysis.tasks().iter().take(MOST_PLACES).map(row).collect()
}

fn process(analysis: &Analysis) -> Value {
    let summary = analysis.summary();
    json!({
        "command": name(&analysis.command()),
        "pid": summary.pid,
        "elapsed_ms": ms(summary.elapsed),
        "work_ms": ms(summary.openmp_work),
    })
}

fn name(text: &str) -> String {
    cut(&visible(text), NAME)
}

fn sentence(text: &str) -> String {
    cut(&visible(text), SENTENCE)
}

fn sentences(all: &[String]) -> Vec<String> {
    all.iter().take(MOST_PLACES).map(|text| sentence(text)).collect()
}

/// Returns milliseconds with as many decimals as are useful.
pub fn ms(ns: u64) -> f64 {
    let ms = ns as f64 / 1e6;
    let unit = if ms < 1.0 { 1e3 } else { 10.0 };
    (ms * unit).round() / unit
}

/// Returns a share in percent, with one decimal.
pub fn percent(share: f64) -> f64 {
    (share * 1e3).round() / 10.0
}
