//! Counts the threads of a contention group, in the record of its initial team.

use super::Team;
use core::sync::atomic::Ordering::Relaxed;

impl Team {
    /// Returns the initial team of the contention group that this team is part of.
    #[cold]
    pub fn contention_root(&self) -> &Team {
        let mut team = self;
        while let Some(parent) = team.parent().filter(|_| !team.contends_apart.get()) {
            team = parent;
        }
        team
    }

    /// Counts up to `more` threads in, so that the group has at most `most` besides its first
    /// thread. Returns how many threads it counted. The region's end gives them back
    /// ([`Team::give_back`]), and so does a team that cannot use them all.
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

    /// Counts one thread in for a free agent, if the contention group may have another thread.
    /// Returns whether it may.
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
