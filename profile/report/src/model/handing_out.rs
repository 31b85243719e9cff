//! Time in which threads ask the runtime for chunks: no event tells of it, but samples in the
//! runtime do, by the call that they are in.

use omphalos_program::entries::{self, Part};
use std::collections::BTreeMap;

use super::constructs::{Levels, Rows, loop_word, rows_of};
use super::sums::add;
use super::within::{Handed, part};
use crate::ompt::Activity;
use crate::recording::Recording;
use crate::samples::Taken;
use crate::symbols::{Inner, Owner, Symbols};

/// Shares out the runtime's part of each region's work (`handed`) among the loops and sections in
/// whose calls the region's samples are.
pub(super) fn take(
    rows: &mut Rows,
    recording: &Recording,
    symbols: &Symbols,
    levels: &Levels,
    handed: &Handed,
) {
    let mut times: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let mut sampled: Handed = Handed::default();
    let call_of = |frames: &[u64]| {
        let is_user = |pc: &&u64| symbols.kind(**pc - 1) == Owner::User;
        let is_in_runtime = frames.first().is_some_and(|pc| symbols.kind(*pc) == Owner::Runtime);
        let mut calls = frames.iter().skip(1).filter(|pc| **pc > 0);
        if is_in_runtime { calls.find(is_user).copied() } else { None }
    };
    // Most stacks repeat.
    let mut calls: Vec<Option<Option<u64>>> = vec![None; recording.stacks.len()];
    for Taken { sample, stack, .. } in recording.samples.iter() {
        if Activity::of_state(sample.state) != Activity::Parallel || sample.region == 0 {
            continue;
        }
        let at = stack.0 as usize;
        if let Some(call) = *calls[at].get_or_insert_with(|| call_of(&recording.stacks[at])) {
            let forked = recording.forks.get(&sample.region).map(|(fork, _)| fork.codeptr_ra);
            let key = (forked.unwrap_or(sample.region_codeptr), call);
            let weight = recording.period().saturating_mul(u64::from(sample.weight));
            add(times.entry(key).or_default(), weight);
            add(sampled.entry(key.0).or_default(), weight);
        }
    }
    for ((region, call), time) in times {
        let callee = symbols.callee(call).unwrap_or_default();
        if !entries::part(&callee).is_some_and(Part::is_handing_out) {
            continue;
        }
        let Some(rows) = rows_of(rows, symbols, region, levels) else { continue };
        let sections = callee.contains("sections");
        let inner = if sections { Inner::Sections } else { Inner::Loop };
        let site = symbols.inner(call, 0, inner);
        let word = if sections { "sections" } else { loop_word(&site.construct) };
        let fits = rows.iter_mut().filter(|row| row.name.starts_with(word));
        let row = fits.min_by_key(|row| row.construct.line.abs_diff(site.construct.line));
        if let Some(row) = row {
            let of = |known: &Handed| known.get(&region).copied().unwrap_or(0);
            add(&mut row.handing_out, part(of(handed), (time, of(&sampled))));
        }
    }
}
