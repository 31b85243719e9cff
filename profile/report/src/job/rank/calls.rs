//! The calls of MPI of one rank.

use std::collections::{BTreeMap, HashMap};

use omphalos_profile_format::{MpiCallTotal, python};
use omphalos_program::symbols::PythonCodes;

use super::{FIRST_THREAD, Rank, Site, add};
use crate::recording::Recording;

/// The number of places of calls of MPI that are kept, the longest.
const MOST_CALLS: usize = 64;

/// A function of MPI at one place.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) site: Site,
    pub(crate) codeptr: u64,
    /// True for the call for which a region's code left by a jump. It returns to the runtime, so
    /// the place is the region's.
    pub(crate) is_last: bool,
    pub(crate) total: MpiCallTotal,
    /// The part of the time in calls that have not ended, ns.
    pub(crate) open: u64,
    /// The part of that on the rank's first thread, ns.
    pub(crate) open_of_first: u64,
}

impl Rank {
    /// Adds up the calls of MPI; returns the time in them by region, ns.
    pub(super) fn sum_calls(
        &mut self,
        recording: &Recording,
        python: &PythonCodes,
    ) -> HashMap<u64, u64> {
        let mut open: BTreeMap<(u32, u64, u64), (u64, u64)> = BTreeMap::new();
        for (thread, info) in &recording.threads {
            let Some(call) = info.mpi_open else { continue };
            let key = (call.call, call.codeptr_ra, call.region_codeptr);
            let (all, of_first) = open.entry(key).or_default();
            add(all, call.elapsed);
            add(of_first, if *thread == FIRST_THREAD { call.elapsed } else { 0 });
        }
        let mut in_regions: HashMap<u64, u64> = HashMap::new();
        let mut calls: Vec<(&MpiCallTotal, (u64, u64))> = Vec::new();
        for (key, total) in &recording.mpi_calls {
            let open = open.get(key).copied().unwrap_or_default();
            let ended = self.ended_calls.entry(total.call).or_default();
            add(ended, total.elapsed.saturating_sub(open.0));
            add(in_regions.entry(total.region_codeptr).or_default(), total.elapsed);
            calls.push((total, open));
        }
        calls.sort_by_key(|(total, _)| (std::cmp::Reverse(total.elapsed), total.codeptr_ra));
        calls.truncate(MOST_CALLS);
        for (total, (open, open_of_first)) in calls {
            let is_last = total.region_codeptr != 0 && self.is_in_runtime(total.codeptr_ra);
            let codeptr = if is_last { total.region_codeptr } else { total.codeptr_ra };
            let site = match python::parts(codeptr) {
                Some((code, unit)) => Site::of_script(python.get(&code), unit),
                None => self.site(codeptr),
            };
            self.calls.push(Call { site, codeptr, is_last, total: *total, open, open_of_first });
        }
        in_regions
    }
}
