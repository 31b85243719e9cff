//! Finds the lines of Python from which the module `mpi4py` calls MPI. The calls themselves are in
//! the module's own code, whose places say nothing of the script.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::rank::Rank;
use crate::join::mpi;
use crate::model::{add, total};
use crate::{Analysis, CallNode, NoProgress, Profile};

/// The begin of the names of the module's functions.
const MODULE: &str = "mpi4py.";
/// A line with this share of the samples stands for all.
const NEARLY_ALL: f64 = 0.9;
/// The number of ranks whose samples are read. One rank alone may wait in few of the calls.
const MOST_RANKS: usize = 4;

/// Returns the function of the module's that a place is in.
fn caller(place: &str) -> Option<&str> {
    place.rsplit_once(" in ").map(|(_, function)| function).filter(|it| it.starts_with(MODULE))
}

/// Puts the lines into the places of calls, by the samples of the ranks that are longest in MPI.
pub(super) fn name_lines<'a>(places: impl Iterator<Item = &'a mut String>, ranks: &[Rank]) {
    let places: Vec<&mut String> = places.filter(|place| caller(place).is_some()).collect();
    if places.is_empty() {
        return;
    }
    let mut longest: Vec<&Rank> = ranks.iter().collect();
    longest.sort_by_key(|rank| Reverse(rank.mpi.saturating_sub(rank.beginning())));
    let mut lines = Lines::new();
    for rank in longest.into_iter().take(MOST_RANKS) {
        if let Ok(profile) = Profile::open(&rank.file) {
            let analysis = Analysis::new(&profile, &mut NoProgress);
            collect(analysis.tree(), (None, None), &mut lines);
        }
    }
    for place in places {
        let Some(of_caller) = caller(place).and_then(|function| lines.get(function)) else {
            continue;
        };
        let all = total(of_caller.values().copied());
        let Some((line, time)) = of_caller.iter().max_by_key(|(line, time)| (**time, *line)) else {
            continue;
        };
        let others = if *time as f64 >= NEARLY_ALL * all as f64 { "" } else { " and others" };
        *place = format!("{line}{others}, by {}", caller(place).unwrap_or_default());
    }
}

/// The time in calls of MPI by the function of the module and the line of Python, ns.
type Lines = HashMap<String, HashMap<String, u64>>;

/// Adds up the time in calls of MPI, by the function of the module and the line of Python.
fn collect<'a>(
    node: &'a CallNode,
    (line, function): (Option<&'a str>, Option<&'a str>),
    into: &mut Lines,
) {
    let text = &*node.text;
    if mpi::name(text).is_some() {
        if let (Some(line), Some(function)) = (line, function) {
            let lines = into.entry(function.to_owned()).or_default();
            add(lines.entry(line.to_owned()).or_default(), node.total);
        }
        return;
    }
    let is_line = text.split_once(" in ").is_some_and(|(place, _)| place.contains(".py:"));
    let line = if is_line { Some(text) } else { line };
    let function = if text.starts_with(MODULE) { Some(text) } else { None };
    node.children.iter().for_each(|child| collect(child, (line, function), into));
}
