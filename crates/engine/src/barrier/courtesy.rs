//! Who has come last to a barrier of a crowded team, and who goes on first from it.
//!
//! The last to come need not wait, so it goes on while the others, the primary among them, stand
//! behind it for the processor. If what it comes to is a wait of the program's own (a loop that
//! reads a variable which the primary is to set), it keeps the primary from doing just that until
//! its time is up. So it gives way first, where that costs little beside what the team does between
//! its barriers: the time from barrier to barrier earns turns, and each one given away uses one up.
//! None is given away while other programs are known to take the processor for long
//! ([`Sharing::sleeps`](omphalos_sync::spin::Sharing::sleeps)).
//!
//! What must hold: it is a matter of time only. A stale or torn view costs a turn too many or too
//! few, and there is no order to model: nobody waits for these words, who comes last has let the
//! others go before it looks at them, giving way returns whoever else runs, and each write keeps
//! `turns` at `MOST_TURNS` or less, whichever comes last.
use crate::records::{Team, Thread};
use omphalos_settings::settings;

/// The calling member has come last to a barrier; the others may go on.
#[inline]
pub(super) fn after_others(thread: &Thread, team: &Team) {
    // The primary is who others wait for.
    if !team.crowded.get() || thread.num.get() == 0 {
        return;
    }
    let now = omphalos_sys::ticks();
    if team.courtesy.is_due(now, team.size.get()) && !thread.sharing.sleeps(now) {
        thread.sharing.give_way(settings().processors.known());
    }
}
