//! The teams that a thread keeps for its next region, one for each depth, and the one team of all
//! workers that have been in no region.

use super::{Owner, Slot, Team, Thread};
use omphalos_events::TaskFlags;
use omphalos_settings::settings;
use omphalos_sync::settled::Settled;

/// The team of workers that have been in no region.
static OUTSIDE: Settled<&'static Team> = Settled::new();

impl Team {
    /// Returns the team whose primary `thread` is at its current depth. Makes it if there is none.
    #[inline(always)]
    pub(crate) fn at_depth(thread: &'static Thread) -> &'static Team {
        match thread.as_owner().kept_teams().get(thread.depth.get()) {
            // SAFETY: teams are never freed.
            Some(&team) => unsafe { &*team },
            None => Self::make(thread),
        }
    }

    /// Returns the team whose primary `thread` is to be in its next region.
    pub(crate) fn next(thread: &'static Thread) -> &'static Team {
        Self::at_depth(thread)
    }

    /// Adds one team to those that the thread keeps.
    #[cold]
    pub(in crate::records) fn keep_one_more(thread: &'static Thread) {
        Self::make(thread);
    }

    #[cold]
    fn make(thread: &'static Thread) -> &'static Team {
        let team = Team::new();
        team.seat_primary(thread);
        thread.as_owner().keep_team(team);
        team
    }

    /// Makes the teams that a thread needs for its initial task and for its first region.
    pub(crate) fn prepare(thread: &'static Thread) {
        for depth in 0..2 {
            thread.depth.set(thread.as_owner(), depth);
            Self::at_depth(thread);
        }
        thread.depth.set(thread.as_owner(), 0);
    }

    /// Gives a worker that has been in no region a team, because code that runs on it (a tool's
    /// callback, a signal handler of the program) may ask for the thread's number or task. All such
    /// workers share this team. It has size 1 and level 0, and no thread writes to it.
    pub(crate) fn outside(thread: &'static Thread) {
        let team = *OUTSIDE.get_or(|| {
            let team = Team::new();
            team.seat_primary(thread);
            team.size.set(team.as_owner(), 1);
            team.as_owner().set_icvs(settings().initial);
            Owner::of(&team.slot(0).task).become_implicit(team, TaskFlags::INITIAL);
            team
        });
        thread.as_owner().set_team(team);
        thread.slot.set(thread.as_owner(), core::ptr::from_ref(team.slot(0)).cast_mut());
        thread.task.set(thread.as_owner(), core::ptr::from_ref(&team.slot(0).task).cast_mut());
    }

    /// Whether this is the team of workers that have been in no region.
    pub(crate) fn is_outside(&self) -> bool {
        OUTSIDE.get().is_some_and(|team| core::ptr::eq(*team, self))
    }

    fn seat_primary(&self, thread: &Thread) {
        self.primary.set(self.as_owner(), thread);
        self.seat(&[Slot::of_thread(thread)]);
    }
}
