//! The figures of a report that are compared with the program's own.
//!
//! A program prints `TRUTH FIGURE VALUE` or `TRUTH FIGURE@MARK VALUE`; times are seconds. Without a
//! mark a figure is of the whole program, with a mark it is of the region, task, mutex or construct
//! at the mark's line.
//!
//! | figure | of the whole | at a mark |
//! |---|---|---|
//! | `elapsed`, `region` | the program's time, all outermost regions' | the region's |
//! | `work`, `barrier`, `mutex_wait`, `task_wait`, `blocked` | of all threads in regions | of the region |
//! | `serial`, `blocked_serial`, `blocked.CALL` | outside of regions; in that call | that call's in the region |
//! | `ran` | of all threads in regions, with a processor | of the region |
//! | `without_cpu` | of all threads at work | of the region |
//! | `ran.FUNCTION` | in it with a processor, by samples | – |
//! | `cpus` | processors that its threads may use | – |
//! | `others` | time that threads without OpenMP computed | – |
//! | `imbalance`, `gain` | all regions' | the region's |
//! | `callers`, `frames` | – | call paths that the region was entered from, their frames |
//! | `task_work`, `tasks` | all tasks', with a processor; number | the task construct's |
//! | `lock_wait`, `held`, `acquisitions`, `contended` | all mutexes' | of those acquired there |
//! | `held_asleep` | – | sleep of threads while they held those acquired there |
//! | `time`, `wait`, `instances`, `chunks`, `iterations` | – | the construct's inside of a region |
//! | `ends` | – | number of times that a team came to the region's end |
//! | `instances`, `kernels`, `kernel`, `host_wait`, `overlap` | – | the target construct's |
//! | `copies_to`, `bytes_to`, `copies_from`, `bytes_from` | – | the target construct's |

use serde_json::Value;

/// The way that a report's figure is compared with the program's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A time, with its allowed error as a share.
    Time(f64),
    /// A time by the threads' own clocks, which no load of the machine changes; its allowed error
    /// likewise.
    Ran(f64),
    /// A number, which must be the same.
    Count,
}

/// Returns how a figure is compared, with its allowed error.
pub fn kind(name: &str) -> Kind {
    match name {
        "tasks" | "cpus" | "callers" | "frames" | "instances" | "chunks" | "iterations"
        | "acquisitions" | "contended" | "ends" | "kernels" | "copies_to" | "copies_from"
        | "bytes_to" | "bytes_from" => Kind::Count,
        "ran" | "task_work" => Kind::Ran(0.02),
        "elapsed" | "work" | "region" | "time" | "kernel" => Kind::Time(0.02),
        _ => Kind::Time(0.05),
    }
}

/// Whether the report is of a profile through the Collector API of 2007.
pub fn is_of_2007(report: &Value) -> bool {
    report["summary"]["knows_tasks"] == false
}

/// Whether the Collector API has no events for a figure. A report through it leaves the figure out,
/// unless something else tells it. A mutex that no thread waits for has no row there.
pub fn is_untold_in_2007(name: &str) -> bool {
    matches!(
        name,
        "task_wait"
            | "task_work"
            | "tasks"
            | "held"
            | "acquisitions"
            | "lock_wait"
            | "contended"
            | "time"
            | "chunks"
            | "iterations"
            | "kernels"
            | "kernel"
            | "host_wait"
            | "overlap"
            | "copies_to"
            | "bytes_to"
            | "copies_from"
            | "bytes_from"
    )
}

/// Returns the report's figure, in seconds or as a number; `None` if the report has no such row or
/// figure.
pub fn figure(report: &Value, name: &str, line: Option<u64>) -> Option<f64> {
    match line {
        None => of_all(report, name),
        Some(line) => at_line(report, name, line),
    }
}

fn of_all(report: &Value, name: &str) -> Option<f64> {
    let summary = |field: &str| seconds(&report["summary"][field]);
    let outermost = |row: &&Value| row["parent"].is_null();
    let regions = |field: &str| sum(rows(report, "regions").filter(outermost), field);
    let threads = |field: &str| sum(rows(report, "threads"), field);
    match name {
        "elapsed" => summary("elapsed_ns"),
        "serial" => Some(summary("serial_ns")? + threads("without_cpu_serial_ns")?),
        "others" => summary("other_threads_ns"),
        "cpus" => report["program"]["usable_cpus"].as_f64(),
        "blocked" => summary("blocked_ns"),
        "region" => regions("elapsed_ns"),
        // The program's clock goes on while a thread has no processor.
        "work" | "work_ideal" | "regionwork" => {
            Some(threads("parallel_work_ns")? + threads("without_cpu_ns")?)
        }
        "ran" => threads("parallel_work_ns"),
        "without_cpu" => threads("without_cpu_ns"),
        "barrier" => threads("barrier_wait_ns"),
        "mutex_wait" => threads("mutex_wait_ns"),
        "task_wait" => threads("task_wait_ns"),
        "blocked_serial" => threads("blocked_serial_ns"),
        "imbalance" => regions("imbalance_ns"),
        "gain" => regions("perfect_balance_gain_ns"),
        "task_work" => sum(rows(report, "tasks"), "work_ns"),
        "tasks" => count(rows(report, "tasks"), "executed"),
        "lock_wait" => sum(rows(report, "mutexes"), "wait_ns"),
        "held" => sum(rows(report, "mutexes"), "hold_ns"),
        "acquisitions" | "contended" => count(rows(report, "mutexes"), name),
        _ if let Some(function) = name.strip_prefix("ran.") => ran(&report["call_tree"], function),
        _ => {
            let call = name.strip_prefix("blocked.")?;
            let inside = rows(report, "regions").flat_map(|row| rows(row, "calls"));
            let outside = rows(&report["summary"], "serial_calls");
            sum(inside.chain(outside).filter(|row| row["call"] == call), "blocked_ns")
        }
    }
}

/// Adds up the time of a function, with its callees, wherever it stands in the call tree.
fn ran(node: &Value, function: &str) -> Option<f64> {
    if node["name"] == function {
        return seconds(&node["total_ns"]);
    }
    let below = rows(node, "children").filter_map(|child| ran(child, function));
    below.reduce(|sum, part| sum + part)
}

fn at_line(report: &Value, name: &str, line: u64) -> Option<f64> {
    let here = |row: &&Value| row["construct"]["line"] == line;
    let regions = || rows(report, "regions").filter(here);
    let inner = || rows(report, "regions").flat_map(|row| rows(row, "constructs")).filter(here);
    let tasks = || rows(report, "tasks").filter(here);
    let mutexes =
        || rows(report, "mutexes").filter(|row| rows(row, "sites").any(|site| here(&site)));
    let callers = || regions().flat_map(|row| rows(row, "callers"));
    let targets = || rows(report, "targets").filter(here);
    let copies = |way: &str, field: &str| count(targets().map(|row| &row[way]), field);
    match name {
        "region" | "elapsed" => sum(regions(), "elapsed_ns"),
        "work" => Some(sum(regions(), "work_ns")? + sum(regions(), "without_cpu_ns")?),
        "ran" => sum(regions(), "work_ns"),
        "without_cpu" => sum(regions(), "without_cpu_ns"),
        "barrier" => sum(regions(), "barrier_wait_ns"),
        "mutex_wait" => sum(regions(), "mutex_wait_ns"),
        "task_wait" => sum(regions(), "task_wait_ns"),
        "blocked" => sum(regions(), "blocked_ns"),
        "imbalance" => sum(regions(), "imbalance_ns"),
        "gain" => sum(regions(), "perfect_balance_gain_ns"),
        "callers" => Some(callers().count() as f64),
        "frames" => Some(callers().flat_map(|caller| rows(caller, "frames")).count() as f64),
        "task_work" => sum(tasks(), "work_ns"),
        "tasks" => count(tasks(), "executed"),
        "lock_wait" => sum(mutexes(), "wait_ns"),
        "held" => sum(mutexes(), "hold_ns"),
        "held_asleep" => sum(mutexes(), "slept_ns"),
        "acquisitions" | "contended" => count(mutexes(), name),
        "time" => sum(inner(), "time_ns"),
        "wait" => sum(inner(), "wait_ns"),
        "chunks" | "iterations" => count(inner(), name),
        "instances" => count(regions(), name)
            .or_else(|| count(inner(), name))
            .or_else(|| count(targets(), "executions")),
        "ends" => count(inner().filter(|row| row["name"] == "end of the region"), "instances"),
        "kernels" => count(targets(), name),
        "kernel" => sum(targets(), "kernel_ns"),
        "host_wait" | "overlap" => sum(targets(), &format!("{name}_ns")),
        "copies_to" => copies("to_device", "count"),
        "copies_from" => copies("from_device", "count"),
        "bytes_to" => copies("to_device", "bytes"),
        "bytes_from" => copies("from_device", "bytes"),
        _ => {
            let call = name.strip_prefix("blocked.")?;
            let calls = regions().flat_map(|row| rows(row, "calls"));
            sum(calls.filter(|row| row["call"] == call), "blocked_ns")
        }
    }
}

/// Whether the report has any row at this line.
pub fn has_row(report: &Value, line: u64) -> bool {
    let here = |row: &Value| row["construct"]["line"] == line;
    let table = |name| rows(report, name);
    let calls = |row: &Value| {
        let frames = rows(row, "callers").flat_map(|caller| rows(caller, "frames"));
        frames.flat_map(|frame| rows(frame, "lines")).any(|place| place["line"] == line)
    };
    table("regions").any(|row| here(row) || rows(row, "constructs").any(here) || calls(row))
        || ["tasks", "targets"].iter().any(|name| table(name).any(here))
        || table("mutexes").any(|row| rows(row, "sites").any(here))
        || ["hot_lines", "serial_lines", "diagnosis"]
            .iter()
            .any(|name| table(name).any(|row| row["line"] == line))
}

/// Returns the rows of a table of a report.
pub fn rows<'a>(of: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    of[name].as_array().into_iter().flatten()
}

/// Adds up a field of rows; `None` if no row has it.
fn count<'a>(rows: impl Iterator<Item = &'a Value>, field: &str) -> Option<f64> {
    rows.filter_map(|row| row[field].as_f64()).reduce(|sum, part| sum + part)
}

/// Adds up a time of rows, in seconds; `None` if no row has it.
pub fn sum<'a>(rows: impl Iterator<Item = &'a Value>, field: &str) -> Option<f64> {
    count(rows, field).map(|ns| ns / 1e9)
}

fn seconds(value: &Value) -> Option<f64> {
    value.as_f64().map(|ns| ns / 1e9)
}
