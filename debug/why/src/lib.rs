//! Explains why a program makes no progress: findings in plain words, from a [`Snapshot`].
//!
//! [`explain`] is a pure function of data: it reads no process, so `omphalos inspect`, gdb, lldb
//! and tests all call it. Two snapshots, taken a moment apart, distinguish a slow program from a
//! program that stands still.
//!
//! What must hold: a finding names something that blocks for ever. If some thread can still go on,
//! the findings only say what the program does.

mod alone;
mod beside;
mod bypasses;
mod circles;
mod comers;
mod cycle;
mod executors;
mod graph;
mod halted;
pub mod job;
mod library;
mod outside;
mod parted;
mod peers;
mod poolless;
mod pools;
mod progress;
mod queues;
mod readers;
mod release;
mod roots;
mod said_causes;
mod semaphores;
mod settings;
mod sinks;
mod stays;
mod tasks;
mod unbegun;
mod unsent;
mod woken;
pub mod words;

use omphalos_ompd_view::snapshot::Snapshot;
use serde::{Deserialize, Serialize};

pub use bypasses::of_locks as ways_that_keep_locks;
pub use executors::{add_processes, wants_processes};
use graph::Graph;
pub use outside::FROM_OUTSIDE;
pub use parted::sites as parting_sites;
pub use progress::{all_wait, is_pause, is_try, pace, some_wait_awake};
pub use release::{may_release, withheld};
pub use said_causes::SaidCauses;
pub use settings::reasons;
pub use stays::{polling, silent};

/// One cause. Findings are ordered by how much they block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// A short name of the kind: "lock-cycle", "barrier-not-met", …
    pub kind: String,
    /// One sentence for the user, with source lines.
    pub summary: String,
    /// The facts that support the summary, a line each.
    pub details: Vec<String>,
    /// The kernel's numbers of the threads that the finding is about.
    pub threads: Vec<u32>,
}

impl Finding {
    fn new(kind: &str, summary: String) -> Finding {
        Finding { kind: kind.to_owned(), summary, ..Finding::default() }
    }
}

/// The reasons why nothing goes on; empty if nothing blocks for good. `before`: the same program a
/// moment earlier.
pub fn explain(now: &Snapshot, before: Option<&Snapshot>) -> Vec<Finding> {
    let graph = Graph::new(now);
    // A cycle stays, whatever else goes on. The other findings are causes only if nothing moves.
    let mut found = cycle::find(&graph, before);
    found.extend(alone::find(&graph, before));
    found.extend(tasks::find(&graph, before));
    found.extend(poolless::find(now, before));
    if let Some(halted) = halted::find(now) {
        found.insert(0, halted);
    } else {
        found.extend(roots::find(&graph, before, &found));
    }
    if found.is_empty()
        && let Some(before) = before
    {
        found.extend(progress::find(&graph, before));
    }
    parted::add(now, &mut found);
    // Several circles may give the same finding.
    let mut each: Vec<Finding> = Vec::new();
    for finding in found {
        match each
            .iter_mut()
            .find(|known| known.kind == finding.kind && known.summary == finding.summary)
        {
            Some(known) => {
                let new = finding.threads.iter().filter(|lwp| !known.threads.contains(lwp));
                let new: Vec<u32> = new.copied().collect();
                known.threads.extend(new);
            }
            None => each.push(finding),
        }
    }
    each.truncate(MOST_FINDINGS);
    unbegun::add(now, &mut each);
    beside::add(now, &mut each);
    bypasses::add(now, &mut each);
    unsent::add(now, &mut each);
    executors::add_loops(now, &mut each);
    if let Some(first) = each.first_mut() {
        first.details.splice(0..0, withheld(now));
        first.details.extend(reasons(now));
        first.details.extend(settings::limits(now, &first.threads));
    }
    each
}

/// The most findings that are given: further ones would repeat the first.
const MOST_FINDINGS: usize = 8;
