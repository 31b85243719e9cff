//! Finds the names of a job's places: from the files of one rank's program, and for places that
//! this rank never came to, from the files of other ranks.

use std::collections::HashMap;

use omphalos_program::symbols::{ConstructKind, Symbols};

use super::rank::{Rank, Site};

/// The number of ranks whose places are looked up. Each of them came to a place to which the ranks
/// before it did not come.
const MOST_RANKS: usize = 8;

pub(super) struct Names {
    constructs: HashMap<(Site, bool), String>,
}

impl Names {
    /// Looks the names up in the files of rank `first`, and of some others.
    pub(super) fn of(ranks: &[Rank], first: usize) -> Names {
        let mut names = Names { constructs: HashMap::new() };
        let others = (0..ranks.len()).filter(|at| *at != first);
        let all = std::iter::once(first).chain(others).filter_map(|at| ranks.get(at));
        all.filter(|rank| names.add(rank)).take(MOST_RANKS).for_each(drop);
        names
    }

    /// Adds a rank's names. Returns whether one of them was new.
    fn add(&mut self, rank: &Rank) -> bool {
        let regions = rank.regions.iter().map(|region| (&region.site, region.codeptr, None));
        let calls = rank.calls.iter().filter(|call| call.site.script_line().is_none());
        let calls = calls.map(|call| (&call.site, call.codeptr, Some(call.is_last)));
        let wanted: Vec<(Site, u64, Option<bool>)> = regions
            .chain(calls)
            .filter(|(site, _, call)| {
                !self.constructs.contains_key(&((*site).clone(), call.is_none()))
            })
            .map(|(site, codeptr, call)| (site.clone(), codeptr, call))
            .collect();
        if wanted.is_empty() {
            return false;
        }
        let is_in = |module: &omphalos_program::symbols::ModuleInfo| {
            wanted.iter().any(|(_, codeptr, _)| (module.base..module.end).contains(codeptr))
        };
        let symbols = Symbols::open(&rank.modules, &is_in, &mut Vec::new(), |_| {});
        for (site, codeptr, call) in wanted {
            let kind = match call {
                Some(false) => ConstructKind::Place,
                _ => ConstructKind::Region,
            };
            let construct = symbols.construct(codeptr, kind);
            let label = match call {
                Some(true) => construct.last_call().label.to_string(),
                _ => construct.label.to_string(),
            };
            self.constructs.insert((site, call.is_none()), label);
        }
        true
    }

    /// Returns `region at file.c:42 in main`.
    pub(super) fn region(&self, site: &Site) -> String {
        self.name(site, true)
    }

    /// Returns `file.c:42 in main`.
    pub(super) fn call(&self, site: &Site) -> String {
        self.name(site, false)
    }

    fn name(&self, site: &Site, is_region: bool) -> String {
        if let Some(line) = site.script_line() {
            return line.to_owned();
        }
        let known = self.constructs.get(&(site.clone(), is_region));
        known.cloned().unwrap_or_else(|| {
            let file = site.file.rsplit('/').next().unwrap_or_default();
            format!("{file}+{:#x}", site.at)
        })
    }
}
