//! The barriers at the ends of singles in gcc's code, in a profile through the Collector API.
//!
//! That API tells where such a single ends, which is in its barrier, but only to the thread that
//! executed the single. The others come to the same call, or to a copy of it.

use std::collections::HashMap;

use omphalos_profile_format::{ConstructTotal, construct_kind};

use crate::recording::Recording;
use crate::symbols::{Inner, Symbols};

/// The call of the single that a barrier ends, by the region's call and the barrier's.
pub(super) struct EndsOfSingles(HashMap<(u64, u64), u64>);

/// `ompt_work_single_executor`.
const SINGLE: u32 = construct_kind::WORK | 3;

impl EndsOfSingles {
    pub(super) fn of(recording: &Recording, symbols: &Symbols) -> EndsOfSingles {
        let is_followed = |total: &&ConstructTotal| {
            let site = symbols.inner(total.codeptr_ra, total.end_codeptr, Inner::Single);
            site.by_gcc && site.directive.is_none_or(|directive| !directive.has_nowait())
        };
        let end =
            |total: &ConstructTotal| ((total.region_codeptr, total.end_codeptr), total.codeptr_ra);
        let totals = recording.constructs.values().filter(|total| total.construct_kind == SINGLE);
        EndsOfSingles(totals.filter(is_followed).map(end).collect())
    }

    /// Returns the single that a barrier ends, if there is one.
    pub(super) fn before(&self, symbols: &Symbols, barrier: &ConstructTotal) -> Option<u64> {
        let EndsOfSingles(ends) = self;
        let own = ends.get(&(barrier.region_codeptr, barrier.codeptr_ra));
        let is_copy = |(region, end): (u64, u64)| {
            region == barrier.region_codeptr && symbols.may_be_copies(barrier.codeptr_ra, end)
        };
        let copy = || ends.iter().find(|(key, _)| is_copy(**key)).map(|(_, single)| single);
        own.or_else(copy).copied()
    }
}
