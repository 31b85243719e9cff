//! Calls of MPI: what a process does there is communication, or waiting for other processes, most
//! often with its processor kept busy. It is no work of its own that threads could share.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::model::{CallNode, add, ratio};

/// What of a tree's time is in calls of MPI.
pub(super) struct Calls {
    pub(super) share: f64,
    /// The call with the most of it, and that one's share.
    pub(super) most: (Rc<str>, f64),
}

/// The outermost calls of MPI count, with all that is below them.
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

/// `MPI_Barrier` of that name, of the profiling interface's, and of Fortran's.
fn name(function: &str) -> Option<String> {
    if let Some(call) = function.strip_prefix('P').unwrap_or(function).strip_prefix("MPI_") {
        let is_call = call.starts_with(|c: char| c.is_ascii_uppercase());
        return is_call.then(|| format!("MPI_{call}"));
    }
    let fortran = function.strip_prefix('p').unwrap_or(function);
    let fortran = fortran.strip_prefix("mpi_")?.trim_end_matches('_');
    let fortran = ["_f08ts", "_f08", "_f"].iter().find_map(|end| fortran.strip_suffix(end));
    let call = fortran.or_else(|| function.strip_prefix("mpi_")?.strip_suffix('_'))?;
    let call = call.trim_end_matches('_');
    let mut letters = call.chars();
    Some(format!("MPI_{}{}", letters.next()?.to_uppercase(), letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn calls_are_known_by_their_names() {
        for barrier in
            ["MPI_Barrier", "PMPI_Barrier", "mpi_barrier_", "pmpi_barrier_f", "mpi_barrier__"]
        {
            assert_eq!(name(barrier).as_deref(), Some("MPI_Barrier"), "{barrier}");
        }
        for other in ["main", "MPI_", "mpi_io", "ompi_coll_base", "MPIR_Wait", "mpi_barrier"] {
            assert_eq!(name(other), None, "{other}");
        }
    }
}
