//! Calls of MPI: in these a process communicates, or waits for other processes, most often with its
//! processor kept busy. That is no work of its own that threads could share.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Disease, Finding, MPI_SHARE, duration, percent};
use crate::Analysis;
use crate::join::mpi::name;
use crate::model::{CallNode, MpiRow, add, ratio, total};
use crate::ompt::THREAD_INITIAL;

/// The part of a tree's time in calls of MPI.
pub(super) struct Calls {
    pub(super) share: f64,
    /// The call with the most of it, and its share.
    pub(super) most: (Rc<str>, f64),
}

/// Adds up the outermost calls of MPI, with everything below them.
pub(super) fn calls(root: &CallNode) -> Option<Calls> {
    let mut times: BTreeMap<Rc<str>, u64> = BTreeMap::new();
    let mut todo: Vec<&CallNode> = root.children.iter().collect();
    while let Some(node) = todo.pop() {
        match name(&node.text) {
            Some(call) => add(times.entry(call.into()).or_default(), node.total),
            None => todo.extend(&node.children),
        }
    }
    let share = times.values().map(|time| ratio(*time, root.total)).sum();
    let (call, time) = times.into_iter().max_by_key(|(_, time)| *time)?;
    Some(Calls { share, most: (call, ratio(time, root.total)) })
}

/// Finds the process's time in MPI, without MPI's own begin and end, where the calls are timed.
pub(super) fn find(analysis: &Analysis) -> Option<Finding> {
    let elapsed = analysis.summary().elapsed;
    let (setup, calls): (Vec<&MpiRow>, Vec<&MpiRow>) =
        analysis.mpi_calls().iter().partition(|row| row.is_setup());
    let initial = analysis.threads().iter().filter(|thread| thread.kind == THREAD_INITIAL);
    let serial = initial.map(|thread| thread.mpi_serial).max()?;
    let cost = serial.saturating_sub(total(setup.iter().map(|row| row.elapsed)));
    let first = calls.first().filter(|_| ratio(cost, elapsed) >= MPI_SHARE)?;
    let named = calls.iter().take(3).map(|row| {
        let place = row.construct.label.trim_start_matches("region at ");
        format!("{} at {place} {} ({})", row.function, duration(row.elapsed as f64), row.count)
    });
    Some(Finding {
        disease: Disease::Mpi,
        place: format!("{} at {}", first.function, first.construct.label).into(),
        file: first.construct.file.clone(),
        line: first.construct.line,
        cost,
        evidence: format!(
            "{} of {} elapsed ({}) are in calls of MPI outside of parallel regions, which is \
             waiting for other ranks, or communication: {}",
            duration(cost as f64),
            duration(elapsed as f64),
            percent(ratio(cost, elapsed)),
            named.collect::<Vec<_>>().join(", "),
        ),
        advice: "see the report of the whole job for who is late and why; give all ranks the same \
                 work, or let communication go on beside work (calls that do not wait, tasks)",
    })
}
