//! The teams that a thread keeps for its next regions, by depth: the host's, and those of the
//! devices that it has served (`serving.rs`).

use crate::records::{Owner, Team, Thread};

impl<'a> Owner<'a, Thread> {
    /// Returns the teams that the thread has been primary of, by depth.
    #[inline(always)]
    pub(crate) fn kept_teams(self) -> &'a [*mut Team] {
        // SAFETY: only the owner touches its list, and `keep_team` is called while no code holds a
        // reference to it.
        unsafe { &*self.record().hot_teams.get() }
    }

    /// Adds a team at the end of [`Owner::kept_teams`]. No code holds a reference to that list.
    pub(in crate::records) fn keep_team(self, team: &Team) {
        // SAFETY: only the owner touches its list, and no code holds a reference to it here.
        let teams = unsafe { &mut *self.hot_teams.get() };
        teams.push(core::ptr::from_ref(team).cast_mut());
        self.teams.set((teams.as_ptr(), teams.len()));
    }
}

impl Owner<'static, Thread> {
    /// Returns all teams that the thread keeps, for the host and for devices.
    pub(crate) fn all_kept_teams(self) -> impl Iterator<Item = &'static Team> {
        // SAFETY: only the owner touches its lists, and a thread that goes through them keeps no
        // team meanwhile.
        let others = unsafe { &*self.record().other_teams.get() };
        let all = self.kept_teams().iter().chain(others.iter().flatten());
        // SAFETY: teams are never freed.
        all.map(|&team| unsafe { &*team })
    }
}
