//! One row for each mutex, whatever places acquire it.

use std::collections::BTreeMap;

use super::last_calls::LastCalls;
use super::rows::MutexRow;
use super::sums::{add, total};
use super::within::part;
use crate::ompt;
use crate::recording::Recording;
use crate::symbols::{CRITICAL_PREFIX, Construct, ConstructKind, Inner, Symbols};

/// Makes one row for each mutex, the longest wait first. `waited` is the time that all threads
/// waited for mutexes, where it is known exactly: estimates are cut, so that they add up to it.
pub(super) fn rows(recording: &Recording, symbols: &Symbols, waited: Option<u64>) -> Vec<MutexRow> {
    let mut rows: BTreeMap<(String, u64), MutexRow> = BTreeMap::new();
    let last_calls = LastCalls::new(recording, symbols);
    for (&key, total) in &recording.mutexes {
        let kind = ompt::mutex_kind(total.mutex_kind);
        let site = match inner_of(symbols, kind, total.codeptr_ra) {
            Some(inner) => symbols.inner(total.codeptr_ra, 0, inner).construct,
            None => last_calls
                .place(key)
                .unwrap_or_else(|| symbols.construct(total.codeptr_ra, ConstructKind::Place)),
        };
        let is_reduction = is_reduction(symbols, kind, total.codeptr_ra);
        let name = match is_reduction {
            true => format!("reduction at {}", site.label),
            false => mutex_name(symbols, kind, total.wait_id, total.codeptr_ra, &site),
        };
        // Criticals of one name are one mutex wherever the runtime keeps it, and so are the turns
        // of one `ordered` construct.
        let id = if ["critical", "ordered"].contains(&kind) { 0 } else { total.wait_id };
        let row = rows.entry((name.clone(), id)).or_insert_with(|| MutexRow {
            kind,
            name,
            wait_id: total.wait_id,
            acquisitions: 0,
            contended: 0,
            wait: 0,
            longest_wait: 0,
            hold: 0,
            slept: 0,
            timed: 0,
            only_waits: tells_waits_only(recording, kind),
            sites: Vec::new(),
        });
        let sampling =
            recording.mutex_sampling.get(&(total.wait_id, total.mutex_kind, total.codeptr_ra));
        let timed = sampling.map_or(total.acquisitions, |sampling| sampling.timed);
        add(&mut row.timed, timed);
        let (contended, hold) = match row.only_waits {
            true => (total.acquisitions, 0),
            false => (total.contended, total.hold),
        };
        add(&mut row.acquisitions, total.acquisitions);
        add(&mut row.contended, contended);
        add(&mut row.wait, total.wait);
        add(&mut row.hold, hold);
        add(&mut row.slept, recording.mutex_slept.get(&key).copied().unwrap_or(0).min(hold));
        row.longest_wait = row.longest_wait.max(total.longest_wait);
        match row.sites.iter_mut().find(|(known, _)| known.label == site.label) {
            Some((_, wait)) => *wait = wait.saturating_add(total.wait),
            None => row.sites.push((site, total.wait)),
        }
    }
    let mut rows: Vec<MutexRow> = rows.into_values().collect();
    let sum = total(rows.iter().map(|row| row.wait));
    let is_estimate = rows.iter().any(|row| row.timed < row.acquisitions);
    if let Some(waited) = waited.filter(|waited| is_estimate && *waited < sum) {
        for row in &mut rows {
            row.wait = part(row.wait, (waited, sum));
            row.sites.iter_mut().for_each(|(_, wait)| *wait = part(*wait, (waited, sum)));
        }
    }
    for row in &mut rows {
        row.sites.sort_by_key(|(_, wait)| std::cmp::Reverse(*wait));
    }
    rows.sort_by_key(|row| std::cmp::Reverse((row.wait, row.acquisitions)));
    rows
}

/// Whether only waits are told for mutexes of this kind.
pub(super) fn tells_waits_only(recording: &Recording, kind: &str) -> bool {
    recording.is_from_collector() && kind != "ordered"
}

/// Returns the construct that a mutex is part of; `None` for a lock.
fn inner_of(symbols: &Symbols, kind: &str, codeptr_ra: u64) -> Option<Inner> {
    match kind {
        "critical" if is_reduction(symbols, kind, codeptr_ra) => Some(Inner::Reduction),
        "critical" => Some(Inner::Critical),
        "ordered" => Some(Inner::Ordered),
        "atomic" => Some(Inner::Atomic),
        _ => None,
    }
}

/// Whether a critical or atomic region is one that a compiler made of a reduction.
pub(super) fn is_reduction(symbols: &Symbols, kind: &str, codeptr_ra: u64) -> bool {
    let callee = || symbols.callee(codeptr_ra);
    match kind {
        "critical" => callee().is_some_and(|callee| callee.starts_with("__kmpc_reduce")),
        "atomic" => {
            let directive = symbols.inner(codeptr_ra, 0, Inner::Atomic).directive;
            directive.is_some_and(|directive| !directive.has("atomic"))
        }
        _ => false,
    }
}

/// Returns a mutex's name for the report. gcc names a critical's word `.gomp_critical_user_NAME`,
/// clang `.gomp_critical_user_NAME.var`.
fn mutex_name(
    symbols: &Symbols,
    kind: &str,
    wait_id: u64,
    codeptr_ra: u64,
    site: &Construct,
) -> String {
    let datum = symbols.datum(wait_id);
    if kind == "critical" {
        let datum = datum
            .filter(|name| name.starts_with(CRITICAL_PREFIX))
            .or_else(|| symbols.critical_word(codeptr_ra));
        let name = datum.as_deref().and_then(|name| name.strip_prefix(CRITICAL_PREFIX));
        let name = name.map(|name| name.strip_suffix(".var").unwrap_or(name));
        return match name {
            Some("") | None => "critical (unnamed)".to_owned(),
            Some(name) => format!("critical ({name})"),
        };
    }
    match (kind, datum) {
        ("atomic" | "ordered", _) => format!("{kind} at {}", site.label),
        (_, Some(name)) => format!("{kind} {name}"),
        (_, None) => format!("{kind} at {wait_id:#x}"),
    }
}
