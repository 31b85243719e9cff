//! How long to spin before the sleep.
//!
//! Spinning pays while the awaited thread runs on another processor and is about to act. It harms
//! while that thread waits for this processor. The caller chooses a budget, in time-stamp cycles,
//! for the team in which it waits; 0 means to sleep at once. A polite wait
//! ([`Spin::again_politely`]) gives the processor away now and then, in case another thread wants
//! just this one.
//!
//! If more threads work than there are processors ([`Spin::crowded`]), nobody spins. Each round
//! gives the processor to the next thread, because that may be the awaited one, and a switch costs
//! half of what a sleep and its wake-up do. Both the rounds and the time are bounded: a wait that
//! lasts becomes a sleep, so that a processor without other work is idle and the kernel knows it.
//!
//! Even with enough processors two threads of a team may share one: the kernel is slow to move
//! threads that never sleep, and nested regions do not know of each other. A thread finds that out
//! by the time that giving way takes ([`Sharing`]). Then it gives way in its waits too, until it is
//! alone.
//!
//! Beside other programs a turn lasts until their time slice ends, a thousand times as long as the
//! awaited event, and the kernel takes it for the thread's own wish. A thread that sleeps is served
//! before them. So after a long turn crowded waits sleep at once for a while, and other waits sleep
//! where they would give way. One case is excepted: if the process itself had most of the
//! processors meanwhile, a thread of the team ran, and that one is awaited.

use core::cell::Cell;

/// What a thread knows of the others on its processor. Belongs to that thread.
#[derive(Debug, Default)]
pub struct Sharing {
    /// How often in a row giving way let another thread run for a short while; 0: it is alone.
    turns: Cell<u32>,
    /// The next wait begins with a sleep.
    moves: Cell<bool>,
    /// Until when waits begin with a sleep, and for how long that was (time-stamp cycles).
    sleeps_until: Cell<u64>,
    period: Cell<u64>,
    /// When the processor was last away for long, and how much of all processors the process had
    /// had by then (nanoseconds).
    looked: Cell<(u64, u64)>,
}

impl Sharing {
    /// Nothing known.
    pub const fn new() -> Sharing {
        Sharing {
            turns: Cell::new(0),
            moves: Cell::new(false),
            sleeps_until: Cell::new(0),
            period: Cell::new(0),
            looked: Cell::new((0, 0)),
        }
    }

    /// Gives the processor away and learns from how long that took.
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

    /// Another thread had the processor for some time.
    #[cold]
    #[inline(never)]
    fn was_away(&self, turn: (u64, u64), processors: usize) {
        use omphalos_sys::clock::{nanoseconds, process_nanoseconds};
        self.learn(turn, (nanoseconds(), process_nanoseconds()), processors);
    }

    /// Another thread had the processor during `turn` (time-stamp cycles). Now it is `looked.0`,
    /// and the process has had `looked.1` of all processors.
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

/// One wait's spinning: call [`Spin::again`] until it returns false, then sleep.
pub struct Spin<'a> {
    budget: u64,
    start: u64,
    next_way: u64,
    rounds: u32,
    manner: Manner,
    processors: usize,
    sharing: Option<&'a Sharing>,
}

/// Which thread ran when this one gave its processor away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// None: nobody else wanted it.
    Nobody,
    /// One that soon gave way in turn.
    Short,
    /// One that kept it: a thread of the team at work, or another program.
    Long,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Pauses.
    Alone,
    /// Gives way in each round while others on this processor want it.
    Shared,
    /// Gives way in each round.
    Crowded,
}

/// Time-stamp cycles for which a polite wait first keeps the processor: longer than a wait for a
/// thread that runs, and too short to matter if that thread does not run. (A new thread often waits
/// for its maker's processor.)
const CYCLES_BEFORE_GIVING_WAY: u64 = 10_000;
/// Time-stamp cycles between two times that it gives the processor away.
const CYCLES_BETWEEN_GIVING_WAY: u64 = 50_000;
/// Giving way takes less than this if nobody else wants the processor.
const SWITCH_CYCLES: u64 = 2_500;
/// Turns that a crowded wait gives away at least. One is enough if all others need little time.
const LEAST_TURNS: u32 = 8;
/// Time-stamp cycles after which such a wait goes to sleep: some five wake-ups of another
/// processor.
const PATIENT_CYCLES: u64 = 250_000;
/// After this many turns in a row a thread that shares its processor without need sleeps, so that
/// it wakes on an idle one. It does so where a wait begins: once it has given way, the other thread
/// has run, and nothing is left to wait for.
const TURNS_BEFORE_MOVE: u32 = 64;
/// Waits sleep at once for as long as the turn took. If another long turn follows within this many
/// such times, the time doubles, up to half a second: each of a team's threads loses a time slice
/// of some milliseconds to find out.
const PERIODS_TO_COME_AGAIN: u64 = 4;
const LONGEST_PERIOD_CYCLES: u64 = 1_250_000_000;

fn now() -> u64 {
    omphalos_sys::ticks()
}

impl Spin<'static> {
    /// A spin of at most `budget` time-stamp cycles.
    #[inline(always)]
    pub fn new(budget: u64) -> Spin<'static> {
        Spin {
            budget,
            start: 0,
            next_way: 0,
            rounds: 0,
            manner: Manner::Alone,
            processors: 1,
            sharing: None,
        }
    }
}

impl<'a> Spin<'a> {
    /// A polite wait of a thread that has its own processor, as far as the caller knows.
    #[inline(always)]
    pub fn polite(budget: u64, processors: usize, sharing: &'a Sharing) -> Spin<'a> {
        let manner = if sharing.turns.get() == 0 { Manner::Alone } else { Manner::Shared };
        Spin { manner, processors, sharing: Some(sharing), ..Spin::new(budget) }
    }

    /// A polite wait among more threads than processors; a budget of 0 still means to sleep at
    /// once.
    #[inline(always)]
    pub fn crowded(budget: u64, processors: usize, sharing: &'a Sharing) -> Spin<'a> {
        let manner = Manner::Crowded;
        Spin { manner, processors, sharing: Some(sharing), ..Spin::new(budget.min(PATIENT_CYCLES)) }
    }

    /// The same with a budget of no more than `budget`.
    #[inline(always)]
    pub fn at_most(self, budget: u64) -> Spin<'a> {
        Spin { budget: self.budget.min(budget), ..self }
    }

    /// Pauses once. False when the budget is used up. The clock is only read every few rounds.
    #[inline(always)]
    pub fn again(&mut self) -> bool {
        self.rounds += 1;
        core::hint::spin_loop();
        if self.rounds & 15 != 0 {
            return self.budget != 0;
        }
        let now = now();
        if self.start == 0 {
            self.start = now;
        }
        now.wrapping_sub(self.start) < self.budget
    }

    /// As [`Spin::again`]. A wait that lasts gives the processor away now and then, because the
    /// awaited thread may want just this one. On an idle machine that costs a system call every 20
    /// microseconds; on a busy one it lets the other thread run.
    #[inline(always)]
    pub fn again_politely(&mut self) -> bool {
        if self.manner != Manner::Alone {
            return self.next_turn();
        }
        let again = self.again();
        if again && self.rounds & 255 == 0 {
            self.give_way_at_times();
        }
        again
    }

    #[cold]
    #[inline(never)]
    fn next_turn(&mut self) -> bool {
        if self.budget == 0 {
            return false;
        }
        let Some(sharing) = self.sharing else { return false };
        let crowded = self.manner == Manner::Crowded;
        if self.start == 0 {
            if !crowded && sharing.moves.replace(false) {
                return false;
            }
            self.start = now();
            if crowded && sharing.sleeps(self.start) {
                return false;
            }
        } else if now().wrapping_sub(self.start) >= self.budget
            && (!crowded || self.rounds >= LEAST_TURNS)
        {
            return false;
        }
        self.rounds += 1;
        let turn = sharing.give_way(self.processors);
        if !crowded {
            if turn != Turn::Short {
                self.manner = Manner::Alone;
            } else if sharing.turns.get().is_multiple_of(TURNS_BEFORE_MOVE) {
                sharing.moves.set(true);
            }
        } else if turn == Turn::Long {
            // One more look at what it waits for, then it sleeps.
            self.budget = 0;
        }
        true
    }

    #[cold]
    fn give_way_at_times(&mut self) {
        let now = now();
        if self.next_way == 0 {
            self.next_way = self.start + CYCLES_BEFORE_GIVING_WAY;
        }
        if now > self.next_way {
            match self.sharing {
                None => omphalos_sys::thread::give_way(),
                // Beside other programs it sleeps instead, unless it was told to spin for ever.
                Some(sharing) if self.budget != u64::MAX && sharing.sleeps(now) => self.budget = 0,
                Some(sharing) => {
                    if sharing.give_way(self.processors) == Turn::Short {
                        self.manner = Manner::Shared;
                    }
                }
            }
            self.next_way = now + CYCLES_BETWEEN_GIVING_WAY;
        }
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
    fn long_turns_of_the_own_process_do_not() {
        let sharing = Sharing::new();
        for turn in 0..10 {
            let time = 1_000_000 + turn * 10_000_000;
            sharing.learn((turn * SLICE, (turn + 1) * SLICE), (time, 2 * time), 2);
            assert!(!sharing.sleeps((turn + 1) * SLICE));
        }
    }
}
