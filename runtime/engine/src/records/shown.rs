//! The team that the program and tools see in place of a record: a free agent's team stands for the
//! team of its task, a team of a league stands for the league.

use super::{Owner, Team, Thread};

/// `omp_unassigned_thread` of OpenMP 6.0.
const UNASSIGNED: u32 = -2i32 as u32;

impl Team {
    /// The team that tools see: the league, if this is one of its teams.
    pub(crate) fn shown(&self) -> &Team {
        // SAFETY: null or a team; teams are never freed.
        unsafe { self.league_of.get().as_ref() }.unwrap_or(self)
    }

    /// The team whose threads the program counts: for a free agent's team, the one that it stands
    /// for.
    #[inline(always)]
    pub fn counted(&self) -> &Team {
        // SAFETY: set when the team was made; teams are never freed.
        unsafe { &*self.stands_for.get() }
    }

    /// How many threads the program counts in the team.
    #[inline(always)]
    pub fn counted_size(&self) -> u32 {
        if self.is_agents() { self.size_it_stands_for() } else { self.size.get() }
    }

    /// Out of line, so that the common case does not wait for the answer which team it is.
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

    /// The number by which the program and tools know thread `num` of the team.
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
    /// The thread's team is another one, in which its number is set.
    #[inline(always)]
    pub(crate) fn set_team(self, team: &'static Team) {
        self.team.set(self, core::ptr::from_ref(team).cast_mut());
        self.shown_num.set(self, team.shown_num(self.num.get()));
    }

    /// The thread goes back to the team that it had, which may be none.
    #[inline(always)]
    pub(crate) fn set_team_before(self, team: *mut Team) {
        self.team.set(self, team);
        self.show_num();
    }

    /// The program sees another number: the team is another one, or stands for another one.
    #[inline(always)]
    pub(crate) fn show_num(self) {
        let num = self.num.get();
        // SAFETY: null or a team; teams are never freed.
        let team = unsafe { self.team.get().as_ref() };
        self.shown_num.set(self, team.map_or(num, |team| team.shown_num(num)));
    }
}

/// A function of its own, so that the common case falls through the branch and does not wait for
/// the answer.
#[cold]
#[inline(never)]
const fn unassigned() -> u32 {
    UNASSIGNED
}
