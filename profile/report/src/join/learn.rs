//! Learns outlined functions from samples, for constructs whose code does not show them.
//!
//! A sample in a region's own work has the region's body as the innermost function that the runtime
//! called. That is needed where a compiler made the call of the runtime the last jump of a body:
//! then `codeptr_ra` lies in the runtime, and only the body tells the construct.

use crate::maps::HashMap;
use crate::ompt::{Activity, TASK_EXPLICIT};
use crate::recording::Recording;
use crate::samples::Taken;
use crate::symbols::{Owner, Symbols};

/// Returns, for each `codeptr_ra` without a known body, the function in which most of its samples
/// ran.
pub(crate) fn bodies(recording: &Recording, symbols: &Symbols) -> HashMap<u64, u64> {
    let mut votes: HashMap<u64, HashMap<u64, u64>> = HashMap::default();
    let mut unknown: HashMap<u64, bool> = HashMap::default();
    // Most stacks repeat.
    let mut entries: Vec<Option<Option<u64>>> = vec![None; recording.stacks.len()];
    for Taken { sample, stack, .. } in recording.samples.iter() {
        let forked = recording.forks.get(&sample.region).map(|(fork, _)| fork.codeptr_ra);
        let (site, body) = if sample.task_flags & TASK_EXPLICIT != 0 {
            (sample.task_codeptr, sample.task_codeptr)
        } else {
            (forked.unwrap_or(sample.region_codeptr), sample.region)
        };
        let working = Activity::of_state(sample.state) == Activity::Parallel;
        if site == 0 || body == 0 || !working {
            continue;
        }
        if !*unknown.entry(site).or_insert_with(|| symbols.site(site).body.is_none()) {
            continue;
        }
        let at = stack.0 as usize;
        let (Some(pcs), Some(entry)) = (recording.stacks.get(at), entries.get_mut(at)) else {
            continue;
        };
        if let Some(start) = *entry.get_or_insert_with(|| innermost_entry(symbols, pcs)) {
            *votes.entry(site).or_default().entry(start).or_default() += 1;
        }
    }
    let mut found: HashMap<u64, u64> = votes
        .into_iter()
        .filter_map(|(site, starts)| {
            let best = starts.into_iter().max_by_key(|&(start, votes)| (votes, start))?;
            Some((site, best.0))
        })
        .collect();
    found.extend(by_parents(recording, symbols));
    found
}

/// Returns the bodies of regions that were reached by a jump out of the enclosing body. The
/// enclosing body's code says which function it passes on; that function itself may have left for
/// one that it calls last.
fn by_parents(recording: &Recording, symbols: &Symbols) -> HashMap<u64, u64> {
    let mut handed: HashMap<u64, Option<u64>> = HashMap::default();
    for (fork, _) in recording.forks.values() {
        let site = fork.codeptr_ra;
        if site == 0 || symbols.kind(site - 1) != Owner::Runtime {
            continue;
        }
        let body = || {
            let (parent, _) = recording.forks.get(&fork.parent)?;
            symbols.handed_by_jump(symbols.site(parent.codeptr_ra).body?)
        };
        let body = body();
        let known = handed.entry(site).or_insert(body);
        // Regions of several bodies return to one place in the runtime.
        if *known != body {
            *known = None;
        }
    }
    handed.into_iter().filter_map(|(site, body)| Some((site, body?))).collect()
}

/// Returns the start of the innermost function that the runtime called.
fn innermost_entry(symbols: &Symbols, pcs: &[u64]) -> Option<u64> {
    let mut user: Option<u64> = None;
    for (i, &pc) in pcs.iter().enumerate() {
        let pc = if i == 0 { pc } else { pc.saturating_sub(1) };
        match symbols.kind(pc) {
            Owner::Runtime if user.is_some() => break,
            // The runtime itself is at work: no function further out is a body at work.
            Owner::Runtime => return None,
            Owner::User => user = Some(pc),
            Owner::System | Owner::Tool => {}
        }
        if i + 1 == pcs.len() {
            return None;
        }
    }
    symbols.functions(user?).last()?.start
}
