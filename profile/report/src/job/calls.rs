//! Adds up the calls of MPI by place, over all ranks, for the job's table of calls.

use std::collections::{BTreeMap, HashMap};

use super::meetings::Waited;
use super::names::Names;
use super::rank::{Rank, Site};
use crate::model::mpi_function as function;

/// The number of rows that are kept.
const MOST: usize = 64;
/// A wait of a rank that is shorter than this has no record, ns.
const SHORT_WAIT: u64 = 20_000;

/// All calls of one function at one place.
#[derive(Clone, Debug, Default)]
pub struct CallRow {
    /// The function's name, as `MPI_Barrier`.
    pub function: String,
    /// The place, as `file.c:42 in main`.
    pub place: String,
    /// The number of ranks that came to this place.
    pub ranks: u64,
    /// The number of calls of all ranks.
    pub count: u64,
    /// The time from the calls to their returns, over all ranks, ns.
    pub elapsed: u64,
    /// The part of `elapsed` in which ranks waited for other ranks; `None` where this is unknown.
    pub wait: Option<u64>,
    /// The longest call, ns.
    pub longest: u64,
    /// The part of `elapsed` in calls in which the ranks' profiles end, ns.
    pub open: u64,
}

impl CallRow {
    /// Whether ranks meet in the call, rather than two of them pass a message.
    pub(super) fn is_collective(&self) -> bool {
        let call = self.function.trim_start_matches("MPI_").to_lowercase();
        !["send", "recv", "wait"].iter().any(|part| call.contains(part))
    }
}

pub(super) fn rows(ranks: &[Rank], waits: &[HashMap<u32, Waited>], names: &Names) -> Vec<CallRow> {
    let mut rows: BTreeMap<(u32, Site), (CallRow, bool, f64)> = BTreeMap::new();
    for (rank, waits) in ranks.iter().zip(waits) {
        let mut of_rank: BTreeMap<(u32, &Site), (u64, u64, u64, u64)> = BTreeMap::new();
        for call in &rank.calls {
            let sums = of_rank.entry((call.total.call, &call.site)).or_default();
            sums.0 = sums.0.saturating_add(call.total.count);
            sums.1 = sums.1.saturating_add(call.total.elapsed);
            sums.2 = sums.2.max(call.total.longest);
            sums.3 = sums.3.saturating_add(call.open);
        }
        for ((number, site), (count, elapsed, longest, open)) in of_rank {
            let new = || (CallRow::default(), true, 0.0);
            let (row, is_known, wait) = rows.entry((number, site.clone())).or_insert_with(new);
            row.ranks += 1;
            row.count = row.count.saturating_add(count);
            row.elapsed = row.elapsed.saturating_add(elapsed);
            row.longest = row.longest.max(longest);
            row.open = row.open.saturating_add(open);
            // Nobody knows what of a call that has not ended is waiting.
            *is_known &= open < SHORT_WAIT;
            match waits.get(&number).filter(|known| known.elapsed > 0) {
                Some(known) => {
                    *wait += elapsed as f64 * known.wait as f64 / known.elapsed as f64;
                    row.wait = Some(0);
                }
                None => *is_known &= longest < SHORT_WAIT,
            }
        }
    }
    let named = rows.into_iter().map(|((number, site), (row, is_known, wait))| CallRow {
        function: function(number),
        place: names.call(&site),
        wait: row.wait.filter(|_| is_known).map(|_| wait as u64),
        ..row
    });
    // A compiler may have made several calls of one call in the source.
    let mut by_name: BTreeMap<(String, String), CallRow> = BTreeMap::new();
    for row in named {
        let sums = by_name.entry((row.function.clone(), row.place.clone()));
        let sums = sums.and_modify(|sums| {
            sums.ranks = sums.ranks.max(row.ranks);
            sums.count = sums.count.saturating_add(row.count);
            sums.elapsed = sums.elapsed.saturating_add(row.elapsed);
            sums.longest = sums.longest.max(row.longest);
            sums.open = sums.open.saturating_add(row.open);
            sums.wait = sums.wait.zip(row.wait).map(|(one, other)| one.saturating_add(other));
        });
        sums.or_insert(row);
    }
    let mut named: Vec<CallRow> = by_name.into_values().collect();
    named.sort_by_key(|row| std::cmp::Reverse(row.elapsed));
    named.truncate(MOST);
    named
}
