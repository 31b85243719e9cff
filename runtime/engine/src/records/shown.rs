//! The team that the program and tools see in place of another one: for a free agent's team, the
//! team of its task; for a team of a league, the league.

use super::{Owner, Team, Thread};

/// `omp_unassigned_thread` of OpenMP 6.0.
const UNASSIGNED: u32 = -2i32 as u32;

impl Team {
    /// Returns the team that tools see: the league's, if this is a team of a league.
    pub(crate) fn shown(&self) -> &Team {
        // SAFETY: null or a team; teams are never freed.
        unsafe { self.league_of.get().as_ref() }.unwrap_or(self)
    }

    /// Returns the team whose threads the program counts: for a free agent's team, the one that it
    /// stands for.
    #[inline(always)]
    pub fn counted(&self) -> &Team {
        // SAFETY: set when the team was made; teams are never freed.
        unsafe { &*self.stands_for.get() }
    }

    /// Returns how many threads the program counts in the team.
    #[inline(always)]
    pub fn counted_size(&self) -> u32 {
        if self.is_agents() { self.size_it_stands_for() } else { self.size.get() }
    }

    /// Returns the size of the team that this one stands for. Out of line, so that the processor
    /// runs the common case on without waiting for the load of `stands_for`.
    #[cold]
    #[inline(never)]
    fn size_it_stands_for(&self) -> u32 {
        self.counted().size.get()
    }

    /// Whether this is the team of a free agent.
    #[inline(always)]
    pub fn is_agents(&self) -> bool {
        !core::ptr::eq(self.stands_for.get(), self)
    }

    /// Returns the number by which the program and tools know thread `num` of the team.
    #[inline(always)]
    pub fn shown_num(&self, num: u32) -> u32 {
        if num == 0 && self.is_agents() { unassigned() } else { num }
    }

    /// Whether thread `num` of this team is a free agent: it executes a task of the team that this
    /// one stands for, or did so when it became the primary thread of the region.
    pub fn is_agent(&self, num: u32) -> bool {
        let outer = || self.parent().is_some_and(|parent| parent.is_agent(self.parent_num.get()));
        let here = || self.is_agents() && !self.slot(0).thread().is_helper();
        num == 0 && (here() || self.level.get() > 0 && outer())
    }
}

impl Owner<'_, Thread> {
    /// Sets the thread's team. The caller has set its number in this team.
    #[inline(always)]
    pub(crate) fn set_team(self, team: &'static Team) {
        self.team.set(self, core::ptr::from_ref(team).cast_mut());
        self.shown_num.set(self, team.shown_num(self.num.get()));
    }

    /// Sets the thread's team back to an earlier one, which may be null.
    #[inline(always)]
    pub(crate) fn set_team_before(self, team: *mut Team) {
        self.team.set(self, team);
        self.show_num();
    }

    /// Works out again by which number the program sees the thread: its team is another one, or
    /// stands for another one.
    #[inline(always)]
    pub(crate) fn show_num(self) {
        let num = self.num.get();
        // SAFETY: null or a team; teams are never freed.
        let team = unsafe { self.team.get().as_ref() };
        self.shown_num.set(self, team.map_or(num, |team| team.shown_num(num)));
    }
}

/// Returns the number of a free agent. A function of its own, so that the compiler makes a branch
/// that the common case falls through, and no conditional move that waits for its condition.
#[cold]
#[inline(never)]
const fn unassigned() -> u32 {
    UNASSIGNED
}
