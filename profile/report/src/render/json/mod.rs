//! The whole analysis as one JSON object, for programs. Times are nanoseconds and end in `_ns`.
//!
//! Field names are a promise: they are added to, never renamed. `format` counts changes that would
//! break a reader.

mod counters;
mod placement;
mod rows;

use serde::Serialize;
use serde_json::{Value, json};

use crate::model::{CallNode, total};
use crate::visible::visible;
use crate::{Analysis, Finding, diagnosis};
use counters::counters;
use placement::{place, placement};
use rows::{caller, calls, construct, hot_line, inner, target};

/// Nodes of the call tree below this share of all time are left out.
const LEAST_SHARE: f64 = 0.0005;

/// Returns the analysis as pretty-printed JSON with a newline at its end.
pub fn render(analysis: &Analysis) -> String {
    render_all(&[analysis])
}

/// Returns the same for several processes: the first one's object has the others' in a list.
pub fn render_all(processes: &[&Analysis]) -> String {
    render_runs(processes, None)
}

/// Returns the same for the one run of several that the report shows; `runs` is the summary of all
/// of them.
pub fn render_runs(processes: &[&Analysis], runs: Option<Value>) -> String {
    let mut value = Value::Null;
    if let [first, others @ ..] = processes {
        value = to_value(first);
        value["other_processes"] = others.iter().map(|other| to_value(other)).collect();
        value["runs"] = runs.unwrap_or(Value::Null);
    }
    printed(&value)
}

/// Returns the report of one rank of a job, with the job's figures of all ranks.
pub fn render_job(analysis: &Analysis, job: Value) -> String {
    let mut value = to_value(analysis);
    value["other_processes"] = json!([]);
    value["runs"] = Value::Null;
    value["job"] = job;
    printed(&value)
}

fn printed(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_else(|_| "{}".to_owned());
    text.push('\n');
    text
}

/// Returns the analysis as a value.
pub fn to_value(analysis: &Analysis) -> Value {
    let summary = analysis.summary();
    let of_tasks = |figure: u64| (!analysis.is_from_collector()).then_some(figure);
    let counted = |figure: u64| of_tasks(figure).filter(|_| !analysis.is_attached());
    let looked_for = diagnosis::looked_for(analysis);
    json!({
        "format": 1,
        "program": {
            "executable": summary.executable,
            "command": summary.command,
            "pid": summary.pid,
            "host": summary.host,
            "runtime": summary.runtime,
            "environment": summary.environment,
            "cpus": summary.cpus,
            "usable_cpus": summary.usable_cpus,
            "processor": summary.processor,
            "compilers": summary.compilers,
            "started_unix_ns": summary.started,
        },
        "summary": {
            "elapsed_ns": summary.elapsed,
            "covered_ns": summary.covered,
            "run_ns": summary.run,
            "measured_parts": summary.parts.as_ref().map(|parts| {
                let part = |(begin, end): &(u64, u64)| json!({ "begin_ns": begin, "end_ns": end });
                parts.iter().map(part).collect::<Vec<_>>()
            }),
            "threads": summary.threads,
            "threads_alive_ns": summary.alive,
            "openmp_work_ns": summary.openmp_work,
            "openmp_wait_ns": summary.openmp_wait,
            "serial_ns": summary.serial,
            "blocked_ns": summary.blocked,
            "serial_calls": calls(&summary.serial_calls),
            "samples": summary.samples,
            "missed_samples": summary.missed,
            "rate_asked_hz": summary.rate_asked,
            "rate_hz": summary.rate,
            "agent_ns": summary.agent,
            "other_threads_ns": summary.others,
            "cpu_share": summary.cpu_share,
            "other_programs_share": summary.other_programs,
            "without_cpu_ns": summary.without_cpu,
            "mpi_ns": summary.mpi,
            "used_openmp": analysis.used_openmp(),
            "damaged_bytes": summary.damaged,
            "complete": summary.complete,
            "exact": summary.exact,
            "knows_tasks": !analysis.is_from_collector(),
            "attached": summary.attached.map(|looks| json!({
                "looks": looks.looks,
                "stops": looks.stops,
                "stood_ns": looks.stood,
                "longest_stop_ns": looks.longest,
                "own_ns": looks.own,
            })),
        },
        "diagnosis": analysis.findings().iter().map(finding).collect::<Vec<_>>(),
        "inconclusive": analysis.doubts(),
        "looked_for": looked_for.iter().map(|one| one.id()).collect::<Vec<_>>(),
        "placement": placement(analysis),
        "counters": analysis.counters().map(counters),
        "threads": analysis.threads().iter().map(|row| json!({
            "thread": row.thread,
            "os_tid": row.os_tid,
            "kind": thread_kind(row.kind),
            "alive_ns": row.alive,
            "openmp_work_ns": row.openmp_work(),
            "openmp_wait_ns": row.openmp_wait(),
            "parallel_work_ns": row.work,
            "serial_work_ns": row.serial_work,
            "without_cpu_ns": row.without_cpu,
            "without_cpu_serial_ns": row.without_cpu_serial,
            "blocked_ns": row.blocked,
            "blocked_serial_ns": row.blocked_serial,
            "mpi_ns": row.mpi,
            "mpi_serial_ns": row.mpi_serial,
            "running_ns": row.running,
            "runnable_ns": row.runnable,
            "idle_ns": row.idle,
            "barrier_wait_ns": row.barrier_wait,
            "mutex_wait_ns": row.mutex_wait,
            "task_wait_ns": of_tasks(row.task_wait),
            "overhead_ns": row.overhead,
            "samples": row.samples,
            "missed_samples": row.missed,
            "agent_ns": row.agent,
            "untimed_ns": row.untimed,
            "place": place(analysis, row.thread),
        })).collect::<Vec<_>>(),
        "regions": analysis.regions().iter().map(|row| json!({
            "construct": construct(&row.construct),
            "parent": row.parent.as_ref().map(|parent| construct(parent)),
            "level": row.level,
            "instances": row.entered(),
            "elapsed_ns": row.elapsed,
            "team_size": row.team_size(),
            "work_ns": row.work,
            "without_cpu_ns": row.without_cpu,
            "barrier_wait_ns": row.barrier_wait,
            "mutex_wait_ns": row.mutex_wait,
            "task_wait_ns": of_tasks(row.task_wait),
            "overhead_ns": row.overhead,
            "blocked_ns": row.blocked,
            "mpi_ns": row.mpi,
            "calls": calls(&row.calls),
            "callers": analysis.callers(&row.construct.label).iter().map(caller)
                .collect::<Vec<_>>(),
            "imbalance_ns": row.imbalance,
            "imbalance_at_barriers_ns": row.imbalance_at_barriers,
            "perfect_balance_gain_ns": row.gain,
            "cpu_imbalance": row.cpu_imbalance,
            "tasks_created": counted(row.tasks_created),
            "tasks_executed": counted(row.tasks_executed),
            "task_work_ns": of_tasks(row.task_work),
            "implementation_barriers": counted(row.implementation_barriers),
            "constructs": row.constructs.iter().map(inner).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "mpi_calls": analysis.mpi_calls().iter().map(|row| json!({
            "function": row.function,
            "construct": construct(&row.construct),
            "count": row.count,
            "elapsed_ns": row.elapsed,
            "longest_ns": row.longest,
        })).collect::<Vec<_>>(),
        "tasks": analysis.tasks().iter().map(|row| json!({
            "construct": construct(&row.construct),
            "created": row.created,
            "executed": row.executed,
            "stolen": row.stolen,
            "work_ns": row.work,
            "blocked_ns": row.blocked,
            "mean_ns": row.mean_time().round() as u64,
            "shortest_ns": row.shortest,
            "longest_ns": row.longest,
            "timed": row.timed,
            "work_deviation_ns": row.deviation,
        })).collect::<Vec<_>>(),
        "mutexes": analysis.mutexes().iter().map(|row| json!({
            "kind": row.kind,
            "name": row.name,
            "wait_id": row.wait_id,
            "acquisitions": (!row.only_waits).then_some(row.acquisitions),
            "contended": row.contended,
            "wait_ns": row.wait,
            "longest_wait_ns": row.longest_wait,
            "hold_ns": (!row.only_waits).then_some(row.hold),
            "slept_ns": (!row.only_waits).then_some(row.slept),
            "timed": row.timed,
            "sites": row.sites.iter().map(|(site, wait)| {
                json!({ "construct": construct(site), "wait_ns": wait })
            }).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "targets": analysis.targets().iter().map(target).collect::<Vec<_>>(),
        "hot_lines": analysis.hot_lines().iter().take(200).map(hot_line).collect::<Vec<_>>(),
        "serial_lines": analysis.serial_lines().iter().take(200).map(hot_line).collect::<Vec<_>>(),
        "call_tree": Node::of(analysis.tree(), analysis.tree().total),
        "untimed_ns": total(analysis.threads().iter().map(|row| row.untimed)),
        "warnings": analysis.warnings(),
        "notes": analysis.notes(),
        "other_processes": [],
        "runs": null,
        "job": null,
    })
}

/// A node of the call tree; its own type so that deep trees cost no intermediate values.
#[derive(Serialize)]
struct Node<'a> {
    name: &'a str,
    kind: &'static str,
    total_ns: u64,
    self_ns: u64,
    children: Vec<Node<'a>>,
}

impl<'a> Node<'a> {
    fn of(node: &'a CallNode, all: u64) -> Node<'a> {
        let heavy = |child: &&CallNode| child.total as f64 >= all as f64 * LEAST_SHARE;
        Node {
            name: &node.text,
            kind: node.kind.word(),
            total_ns: node.total,
            self_ns: node.own,
            children: node
                .children
                .iter()
                .filter(heavy)
                .map(|child| Node::of(child, all))
                .collect(),
        }
    }
}

fn finding(finding: &Finding) -> Value {
    json!({
        "disease": finding.disease.id(),
        "name": finding.disease.to_string(),
        "place": &*finding.place,
        "file": finding.file.as_deref().map(visible),
        "line": finding.line,
        "cost_ns": finding.cost,
        "cost_is_bound": finding.disease.has_bound(),
        "evidence": finding.evidence,
        "advice": finding.advice,
    })
}

pub(super) fn thread_kind(kind: u32) -> &'static str {
    match kind {
        1 => "initial",
        2 => "worker",
        3 => "other",
        _ => "unknown",
    }
}
