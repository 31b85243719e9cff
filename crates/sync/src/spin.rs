//! How long to spin before sleeping.
//!
//! Spinning pays while the awaited thread runs on another processor and is about to act; it harms
//! when that thread waits for this processor. A budget is a number of time-stamp cycles, chosen by
//! the caller for the team it waits in; 0 means to sleep at once. A polite wait
//! ([`Spin::again_politely`]) gives the processor away now and then, in case it is the one wanted.
//!
//! Where more threads work than there are processors ([`Spin::crowded`]) nobody spins: each round
//! gives the processor to the next thread, because that one may be the one waited for, and a switch
//! costs half of what a sleep and its wake-up do. Both the rounds and the time are bounded: a wait
//! that lasts goes to sleep, so that a processor without other work is idle and says so.
//!
//! There may be enough processors and two threads of a team on one all the same: the kernel moves
//! threads that never sleep late, and nested regions do not know of each other. A thread finds out
//! by the time that giving way takes ([`Sharing`]); it then waits in turns too, until it is alone.

use core::arch::x86_64::_rdtsc;
use core::cell::Cell;

/// What a thread knows about who else runs on its processor. Belongs to that thread.
#[derive(Debug, Default)]
pub struct Sharing {
    /// How often in a row giving way let somebody else run for a short while; 0 = it is alone.
    turns: Cell<u32>,
    /// The next wait is to begin with a sleep.
    moves: Cell<bool>,
}

impl Sharing {
    /// Nothing known.
    pub const fn new() -> Sharing {
        Sharing { turns: Cell::new(0), moves: Cell::new(false) }
    }

    /// Gives the processor away and learns from how long that took. True if somebody else ran and
    /// soon waited in turn.
    fn give_way(&self) -> bool {
        let start = now();
        omphalos_sys::thread::give_way();
        let away = now().wrapping_sub(start);
        // Who stays much longer is none of the team's waiting threads: spinning beside it is
        // better than waiting for it each time.
        let shared = (SWITCH..PATIENT).contains(&away);
        self.turns.set(if shared { self.turns.get().wrapping_add(1) } else { 0 });
        shared
    }
}

/// One wait's spinning: call [`Spin::again`] until it says no, then sleep.
pub struct Spin<'a> {
    budget: u64,
    start: u64,
    next_way: u64,
    rounds: u32,
    manner: Manner,
    sharing: Option<&'a Sharing>,
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

/// Time-stamp cycles that a polite wait keeps the processor to itself: longer than a wait for a
/// thread that runs, shorter than anybody notices when it does not (a thread that was just made often
/// waits for the processor of who made it).
const ALONE: u64 = 10_000;
/// And between two times that it gives it away.
const BETWEEN: u64 = 50_000;
/// Giving way takes less than this if nobody else wants the processor.
const SWITCH: u64 = 2_500;
/// Turns that a crowded wait gives away at least: one is enough if all others have a short way.
const TURNS: u32 = 8;
/// Time-stamp cycles after which such a wait goes to sleep: some five wake-ups of another processor.
const PATIENT: u64 = 250_000;
/// Every so many turns in a row a thread that shares its processor without need sleeps, so that it
/// wakes up on an idle one. It does so where a wait begins: once it has given way, the other one has run,
/// and there is nothing left to wait for.
const MOVE: u32 = 64;

fn now() -> u64 {
    // SAFETY: every x86-64 processor has a time-stamp counter.
    unsafe { _rdtsc() }
}

impl Spin<'static> {
    /// A spin of at most `budget` time-stamp cycles.
    #[inline(always)]
    pub fn new(budget: u64) -> Spin<'static> {
        Spin { budget, start: 0, next_way: 0, rounds: 0, manner: Manner::Alone, sharing: None }
    }
}

impl<'a> Spin<'a> {
    /// A polite wait of a thread that has a processor of its own as far as the caller knows.
    #[inline(always)]
    pub fn polite(budget: u64, sharing: &'a Sharing) -> Spin<'a> {
        let manner = if sharing.turns.get() == 0 { Manner::Alone } else { Manner::Shared };
        Spin { manner, sharing: Some(sharing), ..Spin::new(budget) }
    }

    /// A polite wait among more threads than processors; a budget of 0 still means to sleep at
    /// once.
    #[inline(always)]
    pub fn crowded(budget: u64, sharing: &'a Sharing) -> Spin<'a> {
        Spin { manner: Manner::Crowded, sharing: Some(sharing), ..Spin::new(budget.min(PATIENT)) }
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

    /// As [`Spin::again`]; a wait that lasts gives the processor away every now and then, because
    /// the thread that is waited for may want just this one. On an idle machine that costs a system
    /// call every 20 microseconds, on a busy one it is what lets the other thread run.
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
        } else if now().wrapping_sub(self.start) >= self.budget
            && (!crowded || self.rounds >= TURNS)
        {
            return false;
        }
        self.rounds += 1;
        let shared = sharing.give_way();
        if !crowded {
            if !shared {
                self.manner = Manner::Alone;
            } else if sharing.turns.get().is_multiple_of(MOVE) {
                sharing.moves.set(true);
            }
        }
        true
    }

    #[cold]
    fn give_way_at_times(&mut self) {
        let now = now();
        if self.next_way == 0 {
            self.next_way = self.start + ALONE;
        }
        if now > self.next_way {
            match self.sharing {
                None => omphalos_sys::thread::give_way(),
                Some(sharing) => {
                    if sharing.give_way() {
                        self.manner = Manner::Shared;
                    }
                }
            }
            self.next_way = now + BETWEEN;
        }
    }
}
