//! The tool `region`: answers with one parallel region's threads, inner constructs and callers.

use omphalos_report::digest::{ms, percent, region as figures};
use omphalos_report::{Analysis, CallNode, Caller, RegionRow};
use serde_json::{Value, json};

use super::{PROFILE, Tool, analysis};
use crate::Host;
use crate::arguments::Arguments;

pub const TOOL: Tool = Tool {
    name: "region",
    description: "One parallel region of a profile: time of its threads, loops and other \
        constructs inside, the functions that it runs, callers. Without 'region': a list of all.",
    arguments: &[
        PROFILE,
        ("region", "string", "Part of its name, as file.c:42 or a function", false),
    ],
    answer,
};

fn answer(host: &dyn Host, arguments: &Arguments<'_>) -> Result<Value, String> {
    let wanted = arguments.text("region")?;
    let analysis = analysis(host, arguments)?;
    let elapsed = analysis.summary().elapsed;
    let rows = analysis.regions();
    let Some(wanted) = wanted else {
        let all: Vec<Value> = rows.iter().map(|row| figures(row, elapsed)).collect();
        return Ok(json!({ "regions": all }));
    };
    let matching: Vec<&RegionRow> =
        rows.iter().filter(|row| row.construct.label.contains(wanted)).collect();
    let label = |row: &&RegionRow| row.construct.label.trim_start_matches("region at ").to_owned();
    let [row, others @ ..] = &matching[..] else {
        let known: Vec<String> = rows.iter().take(10).map(|row| label(&row)).collect();
        return Err(format!(
            "no region's name has '{wanted}' in it; regions: {}",
            known.join("; ")
        ));
    };
    let mut value = figures(row, elapsed);
    let time = |time: u64| json!(ms(time));
    value["time_of_threads"] = json!({
        "work_ms": time(row.work),
        "barrier_wait_ms": time(row.barrier_wait),
        "lock_wait_ms": time(row.mutex_wait),
        "task_wait_ms": time(row.task_wait),
        "blocked_in_calls_ms": time(row.blocked),
        "without_cpu_ms": time(row.without_cpu),
        "runtime_overhead_ms": time(row.overhead),
        "imbalance_ms": time(row.imbalance),
    });
    let found = analysis.findings().iter().filter(|one| one.place == row.construct.label);
    value["findings"] = found
        .map(|one| {
            json!({
                "problem": one.disease.to_string(),
                "evidence": one.evidence,
                "to_do": one.advice,
                "saves_at_most_ms": ms(one.cost),
            })
        })
        .collect();
    value["constructs"] = row
        .constructs
        .iter()
        .map(|inner| {
            json!({
                "construct": format!("{} {}", inner.name, inner.construct.label),
                "times": inner.instances,
                "iterations": inner.iterations,
                "chunks": inner.chunks,
                "time_ms": inner.time.map(ms),
                "wait_ms": inner.wait.map(ms),
            })
        })
        .collect();
    value["functions"] = functions(&analysis, &row.construct.label);
    value["called_from"] =
        analysis.callers(&row.construct.label).iter().take(3).map(path).collect();
    if !others.is_empty() {
        value["other_matches"] = others.iter().map(label).collect();
    }
    Ok(value)
}

/// Returns the functions that took time below the region's frames of the call tree.
fn functions(analysis: &Analysis, label: &str) -> Value {
    let all = analysis.tree().total.max(1);
    let mut own: Vec<(String, u64)> = Vec::new();
    for node in nodes(analysis.tree(), label) {
        for (name, time) in node.own_times() {
            match own.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += time,
                None => own.push((name.to_owned(), time)),
            }
        }
    }
    own.retain(|(_, time)| *time > 0);
    own.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    let row = |(name, time): (String, u64)| {
        json!({
            "function": name,
            "own_ms": ms(time),
            "share_of_threads_time_percent": percent(time as f64 / all as f64),
        })
    };
    own.into_iter().take(8).map(row).collect()
}

/// Returns the outermost nodes with this text.
fn nodes<'a>(root: &'a CallNode, text: &str) -> Vec<&'a CallNode> {
    let (mut found, mut todo) = (Vec::new(), vec![root]);
    while let Some(node) = todo.pop() {
        match *node.text == *text {
            true => found.push(node),
            false => todo.extend(&node.children),
        }
    }
    found
}

/// `main:31 > solve:112`.
fn path(caller: &Caller) -> Value {
    let frame = |frame: &omphalos_report::CallerFrame| match frame.lines.first() {
        Some(line) if line.line > 0 => format!("{}:{}", frame.name, line.line),
        _ => frame.name.to_string(),
    };
    let frames: Vec<String> = caller.frames.iter().map(frame).collect();
    json!({ "path": frames.join(" > "), "time_ms": ms(caller.time) })
}
