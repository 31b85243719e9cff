//! The member that comes last to a barrier of a crowded team gives way to the others.
//!
//! The last one need not wait, so it goes on while the others, the primary among them, wait for its
//! processor. The program may now have it wait in a loop of its own, for a variable that the
//! primary is to set. Then it keeps the primary from setting it until its time slice ends. So it
//! gives way first, where that costs little beside the team's work between barriers: the time from
//! barrier to barrier earns turns, and giving way once uses one up. It never gives way while other
//! programs are known to hold the processor for long
//! ([`Sharing::sleeps`](omphalos_sync::spin::Sharing::sleeps)).
//!
//! What must hold: this only shifts time. A stale or torn value costs a turn too many or too few.
//! No order has to be modelled. No thread waits for these words. The last member has let the others
//! go before it reads them. `sched_yield` returns whoever else runs. And each write keeps `turns`
//! at `MOST_TURNS` or less.
use crate::records::{Team, Thread};
use omphalos_settings::settings;

/// The calling member has come last to a barrier; the others may go on.
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
