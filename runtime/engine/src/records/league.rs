//! The record of a league under way. `teams` works on it.

use core::cell::Cell;
use omphalos_settings::Icvs;

/// The place and the place partition of a thread.
pub type Whereabouts = (i32, (i32, i32));

/// A league under way. Programs of GCC run it over several calls into the runtime, so it stores no
/// `Caller`: each step tells tools of the call in which it is made.
#[must_use]
pub struct RunningLeague {
    pub(crate) count: u32,
    /// The position of the team around it, and the ICVs of the encountering task.
    pub(crate) before: ((u32, u32), Icvs),
    /// The ICVs with which each team begins.
    pub(crate) inside: Icvs,
    /// Whether the league's events are told to tools.
    pub(crate) shown: bool,
    /// The place and partition from which the teams get places of their own; `None` if they get
    /// none.
    pub(crate) origin: Option<Whereabouts>,
    /// The place of the encountering thread before it got one of the league's, if it got one.
    home: Cell<Option<Whereabouts>>,
}

impl RunningLeague {
    pub(crate) fn new(
        count: u32,
        before: ((u32, u32), Icvs),
        inside: Icvs,
        shown: bool,
        origin: Option<Whereabouts>,
    ) -> RunningLeague {
        RunningLeague { count, before, inside, shown, origin, home: Cell::new(None) }
    }

    /// Returns the place of the encountering thread before it got one of the league's, if it got
    /// one.
    pub(crate) fn home(&self) -> Option<Whereabouts> {
        self.home.get()
    }

    /// Notes that the encountering thread leaves the place `home` for one of the league's.
    pub(crate) fn goes_from(&self, home: Whereabouts) {
        self.home.set(Some(home));
    }
}
