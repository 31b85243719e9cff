//! Who has come last to a barrier of a crowded team, and who goes on first from it.
//!
//! The last to come need not wait, so it goes on while the others, the primary among them, stand behind
//! it for the processor. If what it comes to is a wait of the program's own (a loop that reads a variable
//! which the primary is to set), it keeps the primary from doing just that until its time is up. So it
//! gives way first, where that costs little beside what the team does between its barriers: the time from
//! barrier to barrier earns turns, and each one given away uses one up. None is given away while other programs
//! are known to take the processor for long ([`Sharing::sleeps`](omphalos_sync::spin::Sharing::sleeps)).
//!
//! What must hold: it is a matter of time only. A stale or torn view costs a turn too many or too few, and there
//! is no order to model: nobody waits for these words, who comes last has let the others go before it looks at
//! them, giving way returns whoever else runs, and each write keeps `turns` at [`MOST_TURNS`] or less, whichever comes last.
use crate::records::{Team, Thread};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use omphalos_settings::settings;

/// Time-stamp cycles from barrier to barrier, for each member, below which barriers are all that a team
/// does: having each member run once takes as long.
const BUSY_CYCLES_A_MEMBER: u64 = 12_500;
/// Time-stamp cycles that earn a turn: some four times what one costs.
const CYCLES_THAT_EARN_A_TURN: u64 = 10_000;
/// Turns that can be saved up: a wait of some milliseconds may come for each of so many barriers.
const MOST_TURNS: u64 = 256;

/// Written by those who come last to the team's barriers.
pub struct Courtesy {
    /// When the latest barrier was complete (time-stamp cycles).
    complete: AtomicU64,
    /// Turns that may be given away.
    turns: AtomicU32,
}

impl Courtesy {
    /// Nothing earned.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Courtesy {
        Courtesy { complete: AtomicU64::new(0), turns: AtomicU32::new(0) }
    }

    /// Whether who comes last to a barrier of `size` members at `now` is to give way.
    fn is_due(&self, now: u64, size: u32) -> bool {
        let since = now.wrapping_sub(self.complete.load(Ordering::Relaxed));
        self.complete.store(now, Ordering::Relaxed);
        let mut turns = u64::from(self.turns.load(Ordering::Relaxed));
        if since > BUSY_CYCLES_A_MEMBER * u64::from(size) {
            turns = (turns + since / CYCLES_THAT_EARN_A_TURN).min(MOST_TURNS);
        }
        let due = turns > 0;
        self.turns.store(turns.saturating_sub(1) as u32, Ordering::Relaxed);
        due
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_alone_earn_no_turn() {
        let courtesy = Courtesy::new();
        courtesy.is_due(0, 4);
        assert!((1..100).all(|count| !courtesy.is_due(count * 3 * BUSY_CYCLES_A_MEMBER, 4)));
    }

    #[test]
    fn a_long_time_earns_turns_for_the_barriers_behind_it() {
        let courtesy = Courtesy::new();
        courtesy.is_due(0, 4);
        let given = (0..100)
            .filter(|count| courtesy.is_due(10 * CYCLES_THAT_EARN_A_TURN + count, 4))
            .count();
        assert_eq!(given, 10);
        assert!(courtesy.is_due(1 << 40, 4));
        let given = (0..1000).filter(|count| courtesy.is_due((1 << 40) + count, 4)).count() as u64;
        assert_eq!(given, MOST_TURNS - 1);
    }
}
