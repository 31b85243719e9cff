//! How many threads a contention group has: counted in the record of its initial team.

use super::Team;
use core::sync::atomic::Ordering::Relaxed;

impl Team {
    /// The initial team of the contention group that this team is part of.
    #[cold]
    pub fn contention_root(&self) -> &Team {
        let mut team = self;
        while let Some(parent) = team.parent().filter(|_| !team.contends_apart.get()) {
            team = parent;
        }
        team
    }

    /// Takes as many of `more` threads as make `most` besides the first. The region's end gives
    /// them back ([`Team::give_back`]); so does a team that does not get that many.
    pub(crate) fn claim_below(&self, more: u32, most: u32) -> u32 {
        let extra = &self.contention_root().extra;
        let mut granted = 0;
        let grant = |used: u32| {
            granted = more.min(most.saturating_sub(used));
            Some(used + granted)
        };
        let _ = extra.try_update(Relaxed, Relaxed, grant);
        granted
    }

    /// Takes one thread for a free agent, if the contention group may have another one.
    #[cold]
    pub(crate) fn claim_agent(&self, limit: u32) -> bool {
        self.claim_below(1, limit.saturating_sub(1)) == 1
    }

    /// Gives threads back to the contention group.
    #[cold]
    pub(crate) fn give_back(&self, threads: u32) {
        self.contention_root().extra.fetch_sub(threads, Relaxed);
    }
}
