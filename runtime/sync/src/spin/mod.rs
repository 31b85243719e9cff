//! Spins for a while before a thread sleeps.
//!
//! Spinning pays while the awaited thread runs on another processor and is about to act. It harms
//! while that thread waits for this processor. The caller chooses a budget, in time-stamp cycles,
//! for the team in which it waits; 0 means to sleep at once. A polite wait
//! ([`Spin::again_politely`]) gives the processor away now and then, in case another thread wants
//! just this one.
//!
//! If more threads work than there are processors ([`Spin::crowded`]), no thread spins. Each round
//! gives the processor to the next thread, because that may be the awaited one, and a switch costs
//! half of what a sleep and its wake-up do. While all threads on a processor only wait, they take
//! turns as long as a wait spins elsewhere: no other thread wants that processor. Where one of them
//! works, its first turn is a long one, and the others sleep.
//!
//! Even with enough processors two threads of a team may share one: the kernel is slow to move
//! threads that never sleep, and nested regions do not know of each other. A thread finds that out
//! by the time that giving way takes ([`Sharing`]). Then it gives way in its waits too, until it is
//! alone.
//!
//! Beside other programs a turn lasts until their time slice ends: a thousand times as long as the
//! awaited event. The kernel takes that for the thread's own wish, but serves a thread that wakes
//! from a sleep before them. So after a long turn crowded waits sleep at once for a while, and
//! other waits sleep where they would give way. There is one exception: if the process itself had
//! most of the processors meanwhile, the long turn was that of a thread of the team, which worked.

mod sharing;

pub use sharing::{Sharing, Turn};

/// One wait's spinning: call [`Spin::spin_once`] until it returns false, then sleep.
pub struct Spin<'a> {
    budget: u64,
    start: u64,
    next_way: u64,
    rounds: u32,
    manner: Manner,
    processors: usize,
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

/// The time-stamp cycles for which a polite wait first keeps the processor: longer than a wait for
/// a thread that runs, and too short to matter if that thread does not run. (A new thread often
/// waits for its maker's processor.)
const CYCLES_BEFORE_GIVING_WAY: u64 = 10_000;
/// The time-stamp cycles between two times that a polite wait gives the processor away.
const CYCLES_BETWEEN_GIVING_WAY: u64 = 50_000;
/// The most time-stamp cycles that a turn of another thread takes if that one only looks and gives
/// way: about five wake-ups of another processor.
const PATIENT_CYCLES: u64 = 250_000;
/// The number of turns in a row after which a thread that shares its processor without need sleeps,
/// so that it wakes on an idle one. It does so where a wait begins: once it has given way, the
/// other thread has run, and nothing is left to wait for.
const TURNS_BEFORE_MOVE: u32 = 64;
fn now() -> u64 {
    omphalos_sys::ticks()
}

impl Spin<'static> {
    /// Returns a spin of at most `budget` time-stamp cycles.
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
    /// Returns a polite wait of a thread that has its own processor, as far as the caller knows.
    #[inline(always)]
    pub fn polite(budget: u64, processors: usize, sharing: &'a Sharing) -> Spin<'a> {
        let manner = if sharing.turns() == 0 { Manner::Alone } else { Manner::Shared };
        Spin { manner, processors, sharing: Some(sharing), ..Spin::new(budget) }
    }

    /// Returns a polite wait among more threads than processors; a budget of 0 still means to sleep
    /// at once.
    #[inline(always)]
    pub fn crowded(budget: u64, processors: usize, sharing: &'a Sharing) -> Spin<'a> {
        let manner = Manner::Crowded;
        Spin { manner, processors, sharing: Some(sharing), ..Spin::new(budget) }
    }

    /// Returns the same wait with a budget of no more than `budget`.
    #[inline(always)]
    pub fn at_most(self, budget: u64) -> Spin<'a> {
        Spin { budget: self.budget.min(budget), ..self }
    }

    /// Pauses once. Returns false when the budget is used up. The clock is only read every few
    /// rounds.
    #[inline(always)]
    pub fn spin_once(&mut self) -> bool {
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

    /// Does what [`Spin::spin_once`] does. A wait that lasts gives the processor away now and then,
    /// because the awaited thread may want just this one. On an idle machine that costs a system
    /// call every 20 microseconds; on a busy one it lets the other thread run.
    #[inline(always)]
    pub fn again_politely(&mut self) -> bool {
        if self.manner != Manner::Alone {
            return self.next_turn();
        }
        let again = self.spin_once();
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
            if !crowded && sharing.moves_now() {
                return false;
            }
            self.start = now();
            if crowded && sharing.sleeps(self.start) {
                return false;
            }
        } else if now().wrapping_sub(self.start) >= self.budget {
            return false;
        }
        let turn = sharing.give_way(self.processors);
        if !crowded {
            if turn != Turn::Short {
                self.manner = Manner::Alone;
            } else if sharing.turns().is_multiple_of(TURNS_BEFORE_MOVE) {
                sharing.move_soon();
            }
        } else if turn == Turn::Long {
            // The caller looks once more at the awaited word, then it sleeps.
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
