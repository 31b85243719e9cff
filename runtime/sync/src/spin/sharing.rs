//! A thread's knowledge of the others on its processor. It learns by the time that giving way
//! takes.
//!
//! The thread alone writes and reads it. `mod.rs` has the waits that use it.

use super::{PATIENT_CYCLES, now};
use core::cell::Cell;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Giving way takes fewer time-stamp cycles than this if no other thread wants the processor.
const SWITCH_CYCLES: u64 = 2_500;
/// Waits sleep at once for as long as the turn took. If another long turn follows within this many
/// such times, the time doubles, up to half a second: each of a team's threads loses a time slice
/// of some milliseconds to find out.
const PERIODS_TO_COME_AGAIN: u64 = 4;
const LONGEST_PERIOD_CYCLES: u64 = 1_250_000_000;

/// A look at how much of the processors the process has had goes over each of its threads. So after
/// a look no thread looks again for this many times its cost, or for the second number of cycles if
/// that is less.
const PERIODS_BETWEEN_LOOKS: u64 = 16;
const LONGEST_BETWEEN_LOOKS_CYCLES: u64 = 25_000_000;

/// Says when the process's threads may look again.
struct Looks {
    /// The time from which a thread may look, in time-stamp cycles.
    next: AtomicU64,
    /// The cost of the latest look.
    cost: AtomicU64,
}

static LOOKS: Looks = Looks::new();

impl Looks {
    const fn new() -> Looks {
        Looks { next: AtomicU64::new(0), cost: AtomicU64::new(0) }
    }

    /// Whether the calling thread may look now. It claims nothing that it would have to give back:
    /// if it then never looks, as in the child of a fork, others may look after the pause.
    fn may(&self, now: u64) -> bool {
        let next = self.next.load(Relaxed);
        let is_due = now.wrapping_sub(next) <= u64::MAX / 2;
        let pause = PERIODS_BETWEEN_LOOKS.saturating_mul(self.cost.load(Relaxed));
        let then = now.wrapping_add(pause.min(LONGEST_BETWEEN_LOOKS_CYCLES));
        is_due && self.next.compare_exchange(next, then, Relaxed, Relaxed).is_ok()
    }

    fn took(&self, cycles: u64) {
        self.cost.store(cycles, Relaxed);
    }
}

/// The sort of thread that ran when this one gave its processor away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// None: no other thread wanted the processor.
    Nobody,
    /// One that soon gave way in turn.
    Short,
    /// One that kept the processor: a thread of the team at work, or another program.
    Long,
}

/// A thread's knowledge of the others on its processor. Belongs to that thread.
#[derive(Debug, Default)]
pub struct Sharing {
    /// The number of times in a row that giving way let another thread run for a short while; 0:
    /// the thread is alone.
    turns: Cell<u32>,
    /// Whether the next wait begins with a sleep.
    moves: Cell<bool>,
    /// The time until which waits begin with a sleep, and the length of that period (time-stamp
    /// cycles).
    sleeps_until: Cell<u64>,
    period: Cell<u64>,
    /// The time when the processor was last away for long, and how much of all processors the
    /// process had had by then (nanoseconds).
    looked: Cell<(u64, u64)>,
}

impl Sharing {
    /// Returns the knowledge of a thread that has learnt nothing.
    pub const fn new() -> Sharing {
        Sharing {
            turns: Cell::new(0),
            moves: Cell::new(false),
            sleeps_until: Cell::new(0),
            period: Cell::new(0),
            looked: Cell::new((0, 0)),
        }
    }

    /// Returns the number of times in a row that giving way let another thread run for a short
    /// while; 0: the thread is alone.
    pub(super) fn turns(&self) -> u32 {
        self.turns.get()
    }

    /// Makes the next wait begin with a sleep.
    pub(super) fn move_soon(&self) {
        self.moves.set(true);
    }

    /// Whether this wait is to begin with a sleep, as [`Sharing::move_soon`] asked. Forgets that.
    pub(super) fn moves_now(&self) -> bool {
        self.moves.replace(false)
    }

    /// Gives the processor away. Learns from the time that this took.
    pub fn give_way(&self, processors: usize) -> Turn {
        let start = now();
        omphalos_sys::thread::give_way();
        let end = now();
        let away = end.wrapping_sub(start);
        let turn = match away {
            0..SWITCH_CYCLES => Turn::Nobody,
            SWITCH_CYCLES..PATIENT_CYCLES => Turn::Short,
            _ => Turn::Long,
        };
        self.turns.set(if turn == Turn::Short { self.turns.get().wrapping_add(1) } else { 0 });
        if turn == Turn::Long {
            self.was_away((start, end), processors);
        }
        turn
    }

    /// Learns that another thread had the processor for some time. If the process has many threads,
    /// learns nothing from most such times: then it is most often one of them that ran.
    #[cold]
    #[inline(never)]
    fn was_away(&self, turn: (u64, u64), processors: usize) {
        use omphalos_sys::clock::{nanoseconds, process_nanoseconds};
        if LOOKS.may(turn.1) {
            let looked = (nanoseconds(), process_nanoseconds());
            LOOKS.took(now().wrapping_sub(turn.1));
            self.learn(turn, looked, processors);
        }
    }

    /// Learns that another thread had the processor during `turn` (time-stamp cycles). Now it is
    /// `looked.0`, and the process has had `looked.1` of all processors.
    fn learn(&self, turn: (u64, u64), looked: (u64, u64), processors: usize) {
        let before = self.looked.replace(looked);
        let could_have = looked.0.wrapping_sub(before.0).saturating_mul(processors as u64);
        let had = looked.1.wrapping_sub(before.1);
        if before.0 == 0 || had > could_have / 4 * 3 {
            return self.period.set(0);
        }
        let period = self.period.get();
        let again = turn.0.wrapping_sub(self.sleeps_until.get()) < PERIODS_TO_COME_AGAIN * period;
        let next = if again { 2 * period } else { turn.1.wrapping_sub(turn.0) };
        self.period.set(next.min(LONGEST_PERIOD_CYCLES));
        self.sleeps_until.set(turn.1.wrapping_add(self.period.get()));
    }

    /// Whether a wait that begins at `now` (time-stamp cycles) has to sleep instead of giving way:
    /// other programs want the processors.
    pub fn sleeps(&self, now: u64) -> bool {
        let period = self.period.get();
        if period == 0 {
            return false;
        }
        let since = now.wrapping_sub(self.sleeps_until.get());
        if since <= u64::MAX / 2 && since >= PERIODS_TO_COME_AGAIN * period {
            self.period.set(0);
        }
        since > u64::MAX / 2
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const SLICE: u64 = 7_000_000;

    #[test]
    fn long_turns_beside_other_programs_make_waits_sleep() {
        let sharing = Sharing::new();
        sharing.learn((1000, 1000 + SLICE), (1_000_000, 0), 2);
        assert!(!sharing.sleeps(1000 + SLICE), "nothing to compare it with");
        sharing.learn((2 * SLICE, 3 * SLICE), (7_000_000, 3_000_000), 2);
        assert!(sharing.sleeps(3 * SLICE) && sharing.sleeps(4 * SLICE - 1));
        assert!(!sharing.sleeps(4 * SLICE));
        sharing.learn((4 * SLICE, 5 * SLICE), (13_000_000, 6_000_000), 2);
        assert!(sharing.sleeps(7 * SLICE - 1) && !sharing.sleeps(7 * SLICE), "twice as long");
        assert!(!sharing.sleeps(7 * SLICE + 2 * PERIODS_TO_COME_AGAIN * SLICE));
        sharing.learn((17 * SLICE, 18 * SLICE), (50_000_000, 7_000_000), 2);
        assert!(sharing.sleeps(19 * SLICE - 1) && !sharing.sleeps(19 * SLICE), "as at first");
    }

    #[test]
    fn looks_that_take_long_are_rare() {
        let looks = Looks::new();
        assert!(looks.may(1000));
        looks.took(500);
        assert!(looks.may(1500), "nobody knew what the first one takes");
        assert!(!looks.may(1500) && !looks.may(1500 + 16 * 500 - 1));
        assert!(looks.may(1500 + 16 * 500));
        looks.took(u64::MAX);
        let now = 1500 + 16 * 500 + 16 * 500;
        assert!(looks.may(now), "a thread that was kept from its look");
        assert!(!looks.may(now + 1));
        assert!(looks.may(now + LONGEST_BETWEEN_LOOKS_CYCLES));
    }

    #[test]
    fn long_turns_of_the_own_process_do_not() {
        let sharing = Sharing::new();
        for turn in 0..10 {
            let time = 1_000_000 + turn * 10_000_000;
            sharing.learn((turn * SLICE, (turn + 1) * SLICE), (time, 2 * time), 2);
            assert!(!sharing.sleeps((turn + 1) * SLICE));
        }
    }
}
