//! Notes what the clauses of a construct ask for, for the calling thread's next region or league.

use super::{RunningLeague, Team, Thread};
use omphalos_settings::Level;

/// The demands of a `num_threads` clause with `strict` or with numbers for nested regions, noted
/// for the calling thread's next region.
pub struct Demands {
    /// The number of threads that the clause asks for.
    pub threads: u32,
    /// Numbers for the regions nested inside.
    pub deeper: Option<&'static Level>,
    /// For `strict`: called if the region has fewer threads than the clause asked for, with both
    /// numbers.
    pub unmet: Option<Box<dyn FnOnce(u32, u32)>>,
}

impl Thread {
    /// Notes a `num_threads` clause for the next region; 0 notes nothing.
    #[inline]
    pub fn note_threads(&self, threads: u32) {
        self.pushed_threads.set(self.as_owner(), threads);
    }

    /// Notes a `proc_bind` clause for the next region.
    #[inline]
    pub fn note_bind(&self, bind: i32) {
        self.pushed_bind.set(self.as_owner(), bind);
    }

    /// Notes `num_teams` and `thread_limit` for the next league; 0: the clause is not there.
    #[inline]
    pub fn note_teams(&self, teams: u32, thread_limit: u32) {
        self.pushed_league.set(self.as_owner(), (teams, thread_limit));
    }

    /// Returns the numbers that [`Thread::note_teams`] noted, and forgets them.
    #[inline]
    pub fn noted_teams(&self) -> (u32, u32) {
        self.pushed_league.replace(self.as_owner(), (0, 0))
    }

    /// Keeps a league, whose teams the program runs in line, until its next call.
    #[inline]
    pub fn keep_league(&self, league: RunningLeague) {
        self.league.set(self.as_owner(), Some(league));
    }

    /// Returns the league that [`Thread::keep_league`] kept, and forgets it.
    #[inline]
    pub fn kept_league(&self) -> Option<RunningLeague> {
        self.league.replace(self.as_owner(), None)
    }

    /// Notes the demands on the next region; null notes nothing.
    pub fn demand(&self, demands: Option<Demands>) {
        let fresh = demands.map_or(core::ptr::null_mut(), |d| Box::into_raw(Box::new(d)));
        let old = self.demands.replace(self.as_owner(), fresh);
        if !old.is_null() {
            // SAFETY: the cell's pointers come from above, and only the owner takes them out.
            drop(unsafe { Box::from_raw(old) });
        }
    }
}

/// Carries out the demands that the thread noted, for the region of `team` with `size` threads.
#[cold]
pub fn meet(thread: &Thread, team: &Team, size: u32) {
    let noted = thread.demands.replace(thread.as_owner(), core::ptr::null_mut());
    if noted.is_null() {
        return;
    }
    // SAFETY: as in `demand`.
    let demands = unsafe { Box::from_raw(noted) };
    if let Some(level) = demands.deeper {
        let mut icvs = *team.icvs();
        icvs.nthreads = level.threads();
        icvs.deeper = Some(level.deeper());
        team.as_owner().set_icvs(icvs);
    }
    if let Some(unmet) = demands.unmet.filter(|_| size < demands.threads) {
        unmet(demands.threads, size);
    }
}
