//! The time between barriers of a crowded team, and the turns that it earns. By them
//! `barrier/courtesy.rs` decides whether the member that comes last to a barrier gives way.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Time-stamp cycles from one barrier to the next, for each member. The members' turns on the
/// processor take about this long even if they have no work between barriers. So a shorter time
/// earns nothing.
const BUSY_CYCLES_A_MEMBER: u64 = 12_500;
/// Time-stamp cycles that earn a turn: about four times the cost of giving one turn away.
const CYCLES_THAT_EARN_A_TURN: u64 = 10_000;
/// The most turns that can be saved up. While a team spends them, the member that comes last may
/// wait for some milliseconds at each barrier.
const MOST_TURNS: u64 = 256;

/// Written by the members that come last to the team's barriers.
pub struct Courtesy {
    /// When the latest barrier was complete (time-stamp cycles).
    complete: AtomicU64,
    /// Turns that may be given away.
    turns: AtomicU32,
}

impl Courtesy {
    /// Makes a team that has earned nothing.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Courtesy {
        Courtesy { complete: AtomicU64::new(0), turns: AtomicU32::new(0) }
    }

    /// Whether the member that comes last to a barrier of `size` members at `now` is to give way.
    pub(crate) fn is_due(&self, now: u64, size: u32) -> bool {
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
