//! Passes the barrier that ends a league, as tools see it.
//!
//! Each initial task that tools see of a league arrives at the implicit barrier of the league's
//! region before it ends. If a thread executes several teams, only its last team waits there for
//! the other threads; the others enter and leave the barrier without a wait, as in a region that
//! one thread executes. Without a tool this barrier does not exist: the league's own join waits.

use crate::barrier;
use crate::records::{Team, Thread};
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_events::{Endpoint, State};
use omphalos_settings::settings;
use omphalos_sys::futex;

/// The counter at which the members of a league's region meet. They have no tasks left by then.
pub(super) struct Meeting {
    arrived: AtomicU32,
}

impl Meeting {
    pub fn new() -> Meeting {
        Meeting { arrived: AtomicU32::new(0) }
    }

    /// Called when the calling member's last team is done. Returns when the last teams of all
    /// `members` are done. The meeting must live until the league's join: a member that waits here
    /// may read it after the last one came.
    fn meet(&self, thread: &Thread, league: &Team, members: u32) {
        // Release: publishes the effects of this member's teams. Acquire: sees those of all teams.
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == members {
            return futex::wake(&self.arrived, u32::MAX);
        }
        let mut spin = settings().wait(league.busy.get(), &thread.sharing);
        loop {
            let arrived = self.arrived.load(Ordering::Acquire);
            if arrived == members {
                return;
            }
            if !spin.again_politely() {
                settings().waited_in_vain();
                futex::wait(&self.arrived, arrived, None);
            }
        }
    }
}

/// Passes the barrier of the league in the calling thread's initial task. `codeptr`: the program's
/// call, or 0 where the runtime called. With a `meeting`, waits for the members of the league.
#[cold]
pub(super) fn pass(
    thread: &'static Thread,
    codeptr: u64,
    meeting: Option<(&Meeting, &'static Team)>,
) {
    let meeting = meeting.filter(|(_, league)| league.size.get() > 1);
    let state = thread.replace_state(State::WAIT_BARRIER_TEAMS);
    barrier::hooks::league(thread, Endpoint::Begin, meeting.is_some(), codeptr);
    if let Some((meeting, league)) = meeting {
        meeting.meet(thread, league, league.size.get());
    }
    barrier::hooks::league(thread, Endpoint::End, meeting.is_some(), codeptr);
    thread.set_state(state);
}
