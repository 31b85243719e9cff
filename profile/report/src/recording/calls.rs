//! The calls in which threads slept: their names, and their time by region.

use std::collections::BTreeMap;
use std::rc::Rc;

use omphalos_profile_format::UNSEEN_SLEEP;

use super::bounds::LARGEST;
use super::{CallName, CallSums, Recording};
use crate::ompt::Activity;
use crate::samples::Taken;
use crate::visible::visible_bytes;

/// The most functions in which threads may be blocked.
const MOST_CALLS: usize = 1 << 10;

impl Recording {
    pub(super) fn call_name(&mut self, name: &[u8]) -> CallName {
        let name = visible_bytes(name);
        let known = self.call_names.iter().position(|known| **known == *name);
        let at = known.unwrap_or_else(|| {
            // A damaged file may hold any number of names.
            if self.call_names.len() < MOST_CALLS {
                self.call_names.push(name.into());
            }
            self.call_names.len() - 1
        });
        CallName(at as u32)
    }

    /// Adds calls without a total: a system call that the program makes itself, or one that a
    /// killed program was in. Looks from outside found the thread in it. How often it was made is
    /// unknown. Samples miss short sleeps, which the threads' sums have: these calls share them.
    pub(super) fn add_calls_looked_at(&mut self) {
        let mut found: BTreeMap<(u64, CallName), CallSums> = BTreeMap::new();
        for Taken { sample, blocked, .. } in self.samples.iter() {
            let is_work =
                matches!(Activity::of_state(sample.state), Activity::Serial | Activity::Parallel);
            let Some((name, time)) = blocked.filter(|_| is_work) else { continue };
            let forked = self.forks.get(&sample.region).map(|(fork, _)| fork.codeptr_ra);
            let site = if sample.region == 0 { 0 } else { forked.unwrap_or(sample.region_codeptr) };
            if !self.calls.contains_key(&(site, name)) {
                let sums = found.entry((site, name)).or_default();
                sums.blocked = sums.blocked.saturating_add(time).min(LARGEST);
            }
        }
        for is_serial in [true, false] {
            let is_its = |site: u64| (site == 0) == is_serial;
            let known = self.calls.iter().filter(|((site, _), _)| is_its(*site));
            let known = known.fold(0u64, |sum, (_, sums)| sum.saturating_add(sums.blocked));
            let slept = self.slept(is_serial).saturating_sub(known);
            let of_samples = || found.iter().filter(|((site, _), _)| is_its(*site));
            let sampled =
                of_samples().fold(0u64, |sum, (_, sums)| sum.saturating_add(sums.blocked));
            let more = slept.saturating_sub(sampled);
            if sampled == 0 {
                found.extend((!is_serial).then(|| self.unmet(more)).flatten());
                continue;
            }
            for (_, sums) in found.iter_mut().filter(|((site, _), _)| is_its(*site)) {
                let share = u128::from(more) * u128::from(sums.blocked) / u128::from(sampled);
                sums.blocked = sums.blocked.saturating_add(share as u64).min(LARGEST);
            }
        }
        self.calls.append(&mut found);
    }

    /// Returns how long all threads slept in their own calls, by their own sums: outside of regions
    /// or in them, without calls of MPI, ns.
    fn slept(&self, is_serial: bool) -> u64 {
        let slept = self.threads.values().filter_map(|thread| {
            let all = thread.scheduling?;
            let mpi = thread.mpi.map_or([0, 0], |mpi| [mpi.blocked_work, mpi.blocked_serial]);
            let all = [all.blocked_work, all.blocked_serial];
            Some(all[usize::from(is_serial)].saturating_sub(mpi[usize::from(is_serial)]))
        });
        slept.fold(0, u64::saturating_add)
    }

    /// Returns the sleep in regions of which no sample tells, ns: it was most likely where threads
    /// worked most.
    fn unmet(&mut self, slept: u64) -> Option<((u64, CallName), CallSums)> {
        let most = self.regions.iter().max_by_key(|(_, total)| total.work).filter(|_| slept > 0);
        let site = most?.0.0;
        let sums = CallSums { count: 0, blocked: slept.min(LARGEST) };
        Some(((site, self.call_name(UNSEEN_SLEEP.as_bytes())), sums))
    }

    /// Returns the name of a call.
    pub(crate) fn call(&self, name: CallName) -> &Rc<str> {
        &self.call_names[name.0 as usize]
    }

    /// Returns the calls of one region (`codeptr_ra`, 0 = outside).
    pub(crate) fn calls_in(&self, region: u64) -> impl Iterator<Item = (&Rc<str>, CallSums)> {
        let all = (region, CallName(0))..=(region, CallName(u32::MAX));
        self.calls.range(all).map(|(&(_, name), &sums)| (self.call(name), sums))
    }
}
