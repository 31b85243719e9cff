//! Answers why a program does not go on.

use std::time::Duration;

use omphalos_inspect::look::{self, Look};
use omphalos_inspect::{Way, text};
use omphalos_why::explain;
use serde_json::{Value, json};

use super::Tool;
use crate::Host;
use crate::arguments::Arguments;

pub const TOOL: Tool = Tool {
    name: "why",
    description: "Why a running OpenMP program hangs, or a dead one's core file did: the cause in \
        a sentence with source lines, the threads that it is about, what each thread waits for, \
        and which causes were ruled out. Stops the program for milliseconds.",
    arguments: &[
        ("pid", "integer", "The process", false),
        ("core", "string", "Path of a core file, instead of pid", false),
        ("program", "string", "The program that died, if it is not at its place", false),
    ],
    answer,
};

/// Time between the two looks at a live process.
const APART: Duration = Duration::from_millis(500);

/// The causes that are looked for, by their kinds, in words.
const CAUSES: [(&str, &str); 9] = [
    ("lock-cycle", "threads that wait for each other's locks"),
    ("lock-taken-twice", "a lock that its own holder waits for"),
    ("holder-gone", "a lock whose holder has ended"),
    ("barrier-not-met", "a barrier that a thread of the team does not come to"),
    ("event-not-fulfilled", "a detached task whose event nobody fulfils"),
    ("dependence-not-released", "tasks whose dependences nobody releases"),
    ("condition-not-signalled", "a condition variable that nobody signals"),
    ("livelock", "threads that compute and get nowhere"),
    ("stopped", "a process that is stopped or frozen"),
];

fn answer(host: &dyn Host, arguments: &Arguments<'_>) -> Result<Value, String> {
    let (pid, core) = (arguments.number("pid")?, arguments.text("core")?);
    let program = arguments.text("program")?.map(std::path::Path::new);
    let (before, now) = match (pid, core) {
        (Some(pid), None) => {
            let seen = look::twice(pid, Way::Stopping, APART, &host.ompd());
            let seen = seen.map_err(|fault| format!("process {pid}: {fault}"))?;
            (Some(seen.first), seen.last)
        }
        (None, Some(core)) => {
            let seen = look::core(std::path::Path::new(core), program, &host.ompd());
            (None, seen.map_err(|fault| format!("{core}: {fault}"))?)
        }
        _ => return Err("say one of 'pid', the number of a process, and 'core', a file".to_owned()),
    };
    Ok(causes(before.as_ref(), &now))
}

fn causes(before: Option<&Look>, now: &Look) -> Value {
    let found = explain(&now.snapshot, before.map(|look| &look.snapshot));
    let is_found = |kind: &str| found.iter().any(|finding| finding.kind == kind);
    let ruled_out = CAUSES.iter().filter(|(kind, _)| !is_found(kind)).map(|(_, words)| *words);
    let threads = text::threads(now, false);
    let threads: Vec<&str> =
        threads.lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
    json!({
        "program": text::head(now).trim(),
        "causes": found.iter().map(|finding| json!({
            "cause": finding.summary,
            "kind": finding.kind,
            "details": finding.details,
            "threads_os_tid": finding.threads,
        })).collect::<Vec<_>>(),
        "verdict": match found.is_empty() {
            true => "nothing blocks for good: the program goes on, or waits for something outside",
            false => "see causes; the first blocks the most",
        },
        "ruled_out": ruled_out.collect::<Vec<_>>(),
        "threads": threads,
        "notes": now.snapshot.notes,
    })
}
