//! Explicit tasks that no thread executes.

use std::collections::BTreeMap;
use std::fmt::Write;

use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_why::words;

use super::plain;

/// Places that are shown.
const SHOWN: usize = 32;
/// States, with their names in the text.
const STATES: [(&str, &str); 3] = [
    ("queued", "ready"),
    ("waits", "waiting for tasks that they depend on"),
    ("detached", "detached (run, and the event has not come)"),
];

/// A line for each place of the source: how many of its tasks are ready, wait for others, or have
/// run and wait for their event.
pub fn tasks(snapshot: &Snapshot) -> String {
    let mut places: BTreeMap<String, [u64; STATES.len()]> = BTreeMap::new();
    for task in &snapshot.tasks {
        let Some(state) = STATES.iter().position(|(state, _)| *state == task.state) else {
            continue;
        };
        places.entry(words::made(task)).or_default()[state] += task.shares.unwrap_or(1);
    }
    let mut out = String::new();
    for (place, counts) in places.iter().take(SHOWN) {
        let counts = counts.iter().zip(STATES).filter(|(count, _)| **count > 0);
        let counts: Vec<String> =
            counts.map(|(count, (_, name))| format!("{count} {name}")).collect();
        let _ = writeln!(out, "tasks {}: {}", plain(place), counts.join(", "));
    }
    if let Some(more) = places.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(out, "tasks made at {more} more places");
    }
    if out.is_empty() { out } else { format!("\n{out}") }
}
