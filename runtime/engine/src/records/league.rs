//! A league under way. `teams` works on it.

use core::cell::Cell;
use omphalos_settings::Icvs;

/// A place and its partition: where a thread is.
pub type Whereabouts = (i32, (i32, i32));

/// A league under way. GCC's code keeps one from call to call, so it stores no `Caller`: each step
/// tells tools of the call in which it is made.
#[must_use]
pub struct RunningLeague {
    pub(crate) count: u32,
    /// The position of the team around it, and the ICVs of the encountering task.
    pub(crate) before: ((u32, u32), Icvs),
    /// With what ICVs each team begins.
    pub(crate) inside: Icvs,
    /// Whether tools are told of the league.
    pub(crate) shown: bool,
    /// The place from which the teams get places of their own, if they do.
    pub(crate) origin: Option<Whereabouts>,
    /// Where the encountering thread was, if it got one.
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

    /// Where the encountering thread was before it got a place of the league's, if it got one.
    pub(crate) fn home(&self) -> Option<Whereabouts> {
        self.home.get()
    }

    /// The encountering thread was there.
    pub(crate) fn goes_from(&self, home: Whereabouts) {
        self.home.set(Some(home));
    }
}
