//! The member that comes last to a barrier of a crowded team gives way to the others.
//!
//! The last one need not wait. It goes on, and the others, perhaps with the primary among them,
//! wait for its processor. The program may then have it spin in a loop of its own until the primary
//! sets a variable. While it spins, the primary cannot run and set the variable, until the last
//! one's time slice ends. So the last one gives way first, if that costs little beside the team's
//! work between barriers. The team saves up *turns*: the time from one barrier to the next earns
//! some, and giving way once uses one up (`records/courtesy.rs`). The last one never gives way
//! while other programs are known to hold the processor for long
//! ([`Sharing::sleeps`](omphalos_sync::spin::Sharing::sleeps)).
//!
//! What must hold: giving way changes when threads run, and nothing else. So these words need no
//! order and no model: a stale value costs a turn too many or too few. No thread waits for them.
//! The last member has let the others go before it reads them, and `sched_yield` returns even if no
//! other thread runs.

use crate::records::{Team, Thread};
use omphalos_settings::settings;

/// Called when the calling member has come last to a barrier; the others may go on.
#[inline]
pub(super) fn after_others(thread: &Thread, team: &Team) {
    // The others wait for the primary, so it goes on at once.
    if !team.crowded.get() || thread.num.get() == 0 {
        return;
    }
    let now = omphalos_sys::ticks();
    if team.courtesy.is_due(now, team.size.get()) && !thread.sharing.sleeps(now) {
        thread.sharing.give_way(settings().processors.known());
    }
}
