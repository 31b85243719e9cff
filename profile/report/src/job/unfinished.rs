//! Finds the calls of MPI in which ranks were when they were killed, as those of a job that hangs.

use std::collections::BTreeMap;

use super::findings::{JobFinding, numbered};
use super::names::Names;
use super::rank::Rank;
use crate::diagnosis::duration;
use crate::model::{mpi_function, total};

/// The most calls that the finding names.
const MOST_CALLS: usize = 4;

/// Makes the finding for all ranks whose profiles have no end.
pub(super) fn find(ranks: &[Rank], names: &Names) -> Option<JobFinding> {
    let mut calls: BTreeMap<(String, String), Vec<(u32, u64)>> = BTreeMap::new();
    for rank in ranks.iter().filter(|rank| !rank.is_complete) {
        if let Some(call) = rank.calls.iter().find(|call| call.open_of_first > 0) {
            let key = (mpi_function(call.total.call), names.call(&call.site));
            calls.entry(key).or_default().push((rank.number, call.open_of_first));
        }
    }
    let all: Vec<(u32, u64)> = calls.values().flatten().copied().collect();
    let mut calls: Vec<_> = calls.into_iter().collect();
    calls.sort_by_key(|(_, ranks)| ranks.iter().map(|(rank, _)| *rank).min());
    let ((_, place), _) =
        calls.iter().max_by_key(|(_, ranks)| ranks.iter().map(|one| one.1).max())?;
    let place = place.clone();
    let (mut named, mut times) = (Vec::new(), Vec::new());
    for ((function, place), stood) in calls.iter().take(MOST_CALLS) {
        let numbers: Vec<u32> = stood.iter().map(|(rank, _)| *rank).collect();
        let verb = match (named.is_empty(), numbers.len()) {
            (false, _) => "",
            (true, 1) => "is ",
            (true, _) => "are ",
        };
        named.push(format!("{} {verb}in {function} at {place}", numbered(&numbers)));
        let longest = stood.iter().map(|(_, time)| *time).max().unwrap_or(0);
        times.push(duration(longest as f64));
    }
    let mut numbers: Vec<u32> = all.iter().map(|(rank, _)| *rank).collect();
    numbers.sort_unstable();
    let has_none = |rank: &&Rank| !rank.is_complete && !numbers.contains(&rank.number);
    let others: Vec<u32> = ranks.iter().filter(has_none).map(|rank| rank.number).collect();
    let others = match &others[..] {
        [] => String::new(),
        [one] => format!("; rank {one} is in no call of MPI then"),
        several => format!("; {} are in no call of MPI then", numbered(several)),
    };
    Some(JobFinding {
        disease: "unfinished-call",
        name: format!("at the end {}", named.join(", ")),
        place,
        ranks: numbers,
        cost: total(all.iter().map(|(_, time)| *time)) / ranks.len().max(1) as u64,
        evidence: format!(
            "their profiles end there, after {} in these calls{others}",
            times.join(", "),
        ),
        advice: "find the message or the rank that they wait for: of a job that still runs, \
                 `omphalos why PID` names it"
            .to_owned(),
    })
}
