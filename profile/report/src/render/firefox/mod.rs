//! The Firefox Profiler's processed format, version 61: a track for each thread and each device,
//! user-model stacks with their files and lines, and markers for regions, waits, target constructs,
//! kernels and copies. profiler.firefox.com and `samply load` open it.
//!
//! The format is that of `src/types/profile.ts` of <https://github.com/firefox-devtools/profiler>;
//! later versions of the profiler bring it up to date themselves. Indices are of the tables in
//! `shared`, which all threads use.

mod devices;
mod libraries;
mod markers;
mod tables;

use std::collections::HashMap;

use serde_json::{Value, json};

use super::json::thread_kind;
use crate::join::PlacesId;
use crate::model::ThreadRow;
use crate::{Analysis, TimedSample};
pub use markers::Stretch;
pub(crate) use markers::stretches;
use tables::{CATEGORIES, Tables};

/// The version that is written.
const VERSION: u32 = 61;

/// Returns the profile as JSON.
pub fn render(analysis: &Analysis) -> String {
    render_all(&[analysis])
}

/// Returns the same for several processes, each with its threads, and all on one time.
pub fn render_all(processes: &[&Analysis]) -> String {
    let Some(first) = processes.first() else { return "{}".to_owned() };
    let summary = first.summary();
    let started = |analysis: &&Analysis| analysis.summary().started;
    let begin = processes.iter().map(started).min().unwrap_or(0);
    let mut tables = Tables::new(first);
    let mut threads: Vec<Value> = Vec::new();
    let mut end = 0;
    for (number, analysis) in (0..).zip(processes) {
        // Where a process's start is not known, it does not begin later.
        let later = if begin == 0 { 0 } else { started(analysis) - begin };
        tables.turn_to(analysis, later);
        end = end.max(analysis.summary().elapsed.saturating_add(later));
        let mut samples: HashMap<u32, Vec<TimedSample>> = HashMap::new();
        for sample in analysis.samples() {
            samples.entry(sample.thread).or_default().push(sample);
        }
        let rows = analysis.threads().iter();
        let rows = rows.filter_map(|row| Some((row, samples.get(&row.thread)?)));
        threads.extend(rows.map(|(row, samples)| thread(analysis, &mut tables, row, samples)));
        threads.extend(devices::tracks(analysis, &mut tables, number));
    }
    let profile = json!({
        "meta": {
            "preprocessedProfileVersion": VERSION,
            "version": 24,
            "interval": 1e3 / summary.rate_asked.max(1e-3),
            "startTime": ms(begin),
            "profilingStartTime": 0,
            "profilingEndTime": ms(end),
            "processType": 0,
            "product": super::program(first),
            "arguments": first.command(),
            "importedFrom": "Omphalos",
            "oscpu": "Linux",
            "logicalCPUs": summary.cpus,
            "stackwalk": 1,
            "symbolicated": true,
            "usesOnlyOneStackType": true,
            "sourceCodeIsNotOnSearchfox": true,
            "keepProfileThreadOrder": true,
            "sampleUnits": { "time": "ms", "eventDelay": "ms", "threadCPUDelta": "ns" },
            "extensions": { "baseURL": [], "id": [], "name": [], "length": 0 },
            "categories": CATEGORIES.map(|(name, color)| {
                json!({ "name": name, "color": color, "subcategories": ["Other"] })
            }),
            "markerSchema": markers::schema(),
        },
        "libs": libraries::of(tables.libraries()),
        "pages": [],
        "shared": tables.into_value(),
        "threads": threads,
    });
    serde_json::to_string(&profile).unwrap_or_else(|_| "{}".to_owned())
}

fn thread(
    analysis: &Analysis,
    tables: &mut Tables<'_>,
    row: &ThreadRow,
    samples: &[TimedSample],
) -> Value {
    let pid = analysis.summary().pid;
    let tid = if row.os_tid == 0 { row.thread } else { row.os_tid };
    let rows = rows(analysis, tables, samples);
    json!({
        "processType": "default",
        "processName": super::program(analysis),
        "processStartupTime": tables.ms(0),
        "processShutdownTime": null,
        "registerTime": samples.first().map_or(0.0, |sample| tables.ms(sample.time)),
        "unregisterTime": null,
        "pausedRanges": [],
        "showMarkersInTimeline": true,
        "name": format!("OpenMP thread {} ({})", row.thread, thread_kind(row.kind)),
        "isMainThread": tid == pid,
        "pid": pid.to_string(),
        "tid": tid,
        "samples": {
            "stack": rows.iter().map(|row| row.stack).collect::<Vec<_>>(),
            "time": rows.iter().map(|row| tables.ms(row.time)).collect::<Vec<_>>(),
            "weight": rows.iter().map(|row| row.weight).collect::<Vec<_>>(),
            "weightType": "samples",
            "threadCPUDelta": rows.iter().map(|row| row.cpu_time).collect::<Vec<_>>(),
            "length": rows.len(),
        },
        "markers": markers::of(analysis, tables, row.thread, samples),
    })
}

/// A row of the table of samples.
struct Row {
    stack: Option<usize>,
    time: u64,
    weight: u32,
    cpu_time: u64,
}

/// Returns the rows of each sample: two where the thread had no CPU for part of its time.
fn rows(analysis: &Analysis, tables: &mut Tables<'_>, samples: &[TimedSample]) -> Vec<Row> {
    let mut rows = Vec::with_capacity(samples.len());
    for sample in samples {
        let TimedSample { time, weight, queued, cpu_time, .. } = *sample;
        if queued > 0 {
            let (node, places) = (analysis.without_cpu, PlacesId::NONE);
            let stack = tables.stack(&TimedSample { node, places, ..*sample });
            rows.push(Row { stack, time, weight: queued, cpu_time: 0 });
        }
        let stack = tables.stack(sample);
        rows.push(Row { stack, time, weight: weight.saturating_sub(queued), cpu_time });
    }
    rows
}

/// The format has times in milliseconds.
fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}
