//! Shares out a loop with stealing: each member works through its own range of units. When it has
//! none left, it takes some from others.
//!
//! A loop's units are cut into parts, one for each member. [`Parts`], one word that all share, says
//! which parts have been claimed. A member that arrives claims its own part. A member that runs out
//! claims a part whose member has not come yet. The units that a member has claimed or stolen lie
//! in its [`Range`], one word on a line of its own:
//!
//! | bits | |
//! |---|---|
//! | 0..26 | the next unit |
//! | 26..52 | the end |
//! | 52..64 | tag: which loop, so that a thief that lags does not take from a later one |
//!
//! | step | done by | how |
//! |---|---|---|
//! | [`Range::announce`] | owner, before it claims its part | store: new tag, nothing in it |
//! | [`Parts::claim`] | owner or thief | compare-exchange: the part's bit, under the loop's number |
//! | [`Range::set`] | owner, while its range is empty | store |
//! | [`Range::take`] | owner | compare-exchange: the next unit |
//! | [`Range::steal`] | thief | compare-exchange: the end moves down |
//!
//! No member sets a loop up. The word of parts carries the number of its loop, and the first member
//! to claim replaces an older loop's number; the caller ensures that all members are past that
//! loop. If the first member finds another one [`MOST_AHEAD`] loops behind, it claims the loop as a
//! whole ([`Claim::Whole`]): then no unit of it comes into a range, and no member steals in it.
//!
//! **Each unit goes to one member.** Units move between a part, a range and an executor by one
//! read-modify-write each. The owner's stores replace only an empty range, and a thief never
//! exchanges an empty one, so no store overwrites a steal. A value that a thief expects comes back
//! only where an owner puts units that it has not executed back into its empty range; then the
//! value stands for the same units. The tag of another loop differs as long as thief and owner are
//! less than [`MOST_AHEAD`] loops apart.
//!
//! **A stale range is never stolen from.** A member that leaves a loop leaves an empty range: it
//! took all units, or it emptied the range because the loop was cancelled. A range with units
//! belongs to a loop that no member was [`MOST_AHEAD`] behind when it was first claimed. A member
//! further ahead of the owner than that is in a loop that was claimed as a whole, and does not
//! steal. So thief and owner are less than twice as many loops apart, where tags differ.
//!
//! Cost floor: one locked instruction on the owner's own line for a unit; one transfer of that line
//! and one compare-exchange for a steal; one compare-exchange on a shared line for a part.

mod lease;

use crate::shim::{AtomicU64, Ordering, const_but_for_loom};

pub use lease::Leased;
#[cfg(not(loom))]
pub use lease::{END_BITS, LEASED};

/// The most units that a loop may have. An owner may overshoot the end until it stores something
/// else; with this bound it does not reach the next field.
pub const MOST_UNITS: u64 = FIELD - 256;
/// The number of loops between two members of a team from which on one of them takes loops as a
/// whole.
pub const MOST_AHEAD: u64 = 1 << 11;
/// The most parts into which a loop can be cut.
pub const MOST_PARTS: u32 = FLAGS - 1;

/// The number of bits below the loop's number in a word of parts: one for each part, and one that
/// says that the loop was claimed as a whole.
pub const FLAGS: u32 = 16;
/// The bit that says that the loop was claimed as a whole.
const WHOLE: u64 = 1 << MOST_PARTS;
/// All bits below the number.
const ALL: u64 = (1 << FLAGS) - 1;

const BITS: u32 = 26;
const FIELD: u64 = 1 << BITS;
const TAG: u64 = !(FIELD * FIELD - 1);

/// Returns the tag of loop number `number`.
#[inline(always)]
const fn tag(number: u64) -> u64 {
    number << (2 * BITS)
}

#[inline(always)]
fn parts_of(word: u64) -> (u64, u64) {
    (word & (FIELD - 1), (word >> BITS) & (FIELD - 1))
}

/// The result of a thief's look at a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The owner is not in this loop: it has not come, or has left.
    Absent,
    /// There is nothing, and nothing will come.
    Nothing,
    /// The owner is about to fill the range.
    Soon,
    /// The range has so few units that the owner, which keeps taking them, is done before a thief.
    Few,
    /// Units from the first up to, not including, the second.
    Units(u64, u64),
}

/// The result of claiming a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The part belongs to the caller.
    Mine,
    /// Another member has it.
    Taken,
    /// All parts belong to the caller alone.
    Whole,
}

/// The state of a range that a thief saw earlier. It shows whether the owner keeps working.
#[derive(Clone, Copy, Default)]
pub struct Seen(u64);

/// The word of a range.
struct Word(AtomicU64);

impl Word {
    const_but_for_loom! {
        fn new(word: u64) -> Word {
            Word(AtomicU64::new(word))
        }
    }

    /// Does what [`Range::steal`] does.
    #[inline]
    fn steal(&self, number: u64, few: u64, seen: &mut Seen) -> Found {
        let mut word = self.0.load(Ordering::Relaxed);
        loop {
            if word & TAG != tag(number) {
                return Found::Absent;
            }
            let (begin, end) = parts_of(word);
            if begin >= end {
                return if end == 0 { Found::Soon } else { Found::Nothing };
            }
            if end - begin <= few && seen.0 != word {
                seen.0 = word;
                return Found::Few;
            }
            let keep = (end - begin) / 2;
            let middle = begin + keep;
            let left = tag(number) | middle << BITS | begin;
            match self.0.compare_exchange_weak(word, left, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Found::Units(middle, end),
                Err(now) => word = now,
            }
        }
    }
}

/// A member's range of units.
#[repr(C)]
pub struct Range {
    /// Debuggers read it where the range begins.
    word: Word,
    /// The word as the owner left it. Only the owner uses this. Since then thieves may have moved
    /// the end down, and nothing else.
    left: AtomicU64,
}

impl Range {
    const_but_for_loom! {
        /// Returns an empty range.
        #[allow(clippy::new_without_default)]
        pub fn new() -> Range {
            Range { word: Word::new(0), left: AtomicU64::new(0) }
        }
    }

    /// Makes the range as new: its loop is over, and the next loops have numbers of their own. No
    /// member is in a loop of the owner's.
    pub fn forget(&self) {
        self.leave(0);
    }

    /// Notes that the owner begins loop `number` and is about to claim its part.
    #[inline(always)]
    pub fn announce(&self, number: u64) {
        self.leave(tag(number));
    }

    /// Fills the owner's range, which is empty. Neither bound exceeds [`MOST_UNITS`].
    #[inline(always)]
    pub fn set(&self, number: u64, begin: u64, end: u64) {
        debug_assert!(begin <= end && end <= MOST_UNITS);
        self.leave(tag(number) | end << BITS | begin);
    }

    /// Empties the owner's range: all was taken, or the owner leaves a cancelled loop and gives up
    /// the rest.
    #[inline(always)]
    pub fn set_spent(&self, number: u64) {
        self.set(number, 1, 1);
    }

    #[inline(always)]
    fn leave(&self, word: u64) {
        self.left.store(word, Ordering::Relaxed);
        self.word.0.store(word, Ordering::Relaxed);
    }

    /// Returns the owner's next unit.
    ///
    /// The unit comes from the value that the owner left, not from the exchange that takes it, nor
    /// from a load of the word, which would wait for the exchange before. So a processor goes on
    /// with the unit's iterations, and with the next exchange, before this one is through. If a
    /// thief has moved the end, the exchange fails and tells where it is.
    #[inline(always)]
    pub fn take(&self) -> Option<u64> {
        let mut word = self.left.load(Ordering::Relaxed);
        loop {
            let (begin, end) = parts_of(word);
            if begin >= end {
                return None;
            }
            let new = word + 1;
            match self.word.0.compare_exchange(word, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    self.left.store(new, Ordering::Relaxed);
                    return Some(begin);
                }
                Err(now) => word = now,
            }
        }
    }

    /// Takes half of the units that are left, at least one, for a thief in loop `number`. If no
    /// more than `few` units are left, takes them only if the owner has taken none since the thief
    /// last looked (`seen`).
    #[inline]
    pub fn steal(&self, number: u64, few: u64, seen: &mut Seen) -> Found {
        self.word.steal(number, few, seen)
    }
}

/// The parts of a loop that have been claimed: a bit for each, below the loop's number. Only the
/// number's low 48 bits fit; before its other bits change, the word must be cleared.
pub struct Parts(AtomicU64);

impl Parts {
    const_but_for_loom! {
        /// Makes the word in which no part of loop 0 is claimed.
        #[allow(clippy::new_without_default)]
        pub fn new() -> Parts {
            Parts(AtomicU64::new(0))
        }
    }

    /// Forgets all claims. No member is in a loop.
    pub fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Claims part `part` of loop `number`. Before it replaces another loop's number, which all
    /// members must be past, it asks `near` whether all are less than [`MOST_AHEAD`] loops behind.
    #[inline(always)]
    pub fn claim(&self, number: u64, part: u32, near: impl Fn() -> bool) -> Claim {
        let mut word = self.0.load(Ordering::Relaxed);
        loop {
            let mut new = number << FLAGS | 1 << part;
            if (word ^ new) >> FLAGS == 0 {
                if word >> part & 1 != 0 {
                    return Claim::Taken;
                }
                new |= word;
            } else if !near() {
                new |= ALL;
            }
            match self.0.compare_exchange(word, new, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) if new & WHOLE != 0 => return Claim::Whole,
                Ok(_) => return Claim::Mine,
                Err(now) => word = now,
            }
        }
    }

    /// Claims one of the `count` parts of loop `number` that no member has. The caller has claimed
    /// its own.
    #[inline]
    pub fn claim_any(&self, number: u64, count: u32) -> Option<u32> {
        loop {
            let claimed = self.0.load(Ordering::Acquire);
            let part = claimed.trailing_ones();
            if part >= count {
                return None;
            }
            if self.claim(number, part, || true) == Claim::Mine {
                return Some(part);
            }
        }
    }

    /// Whether the loop of the caller was claimed as a whole.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.0.load(Ordering::Relaxed) & WHOLE != 0
    }
}

/// Returns the units of part `part` of `count`: its first and the one after its last. There are at
/// most [`MOST_UNITS`] units and [`MOST_PARTS`] parts.
#[inline(always)]
pub fn units_of_part(units: u32, part: u32, count: u32) -> (u64, u64) {
    let bound = |part: u32| u64::from(units * part / count);
    (bound(part), bound(part + 1))
}

const _: () = assert!(MOST_UNITS * MOST_PARTS as u64 <= u32::MAX as u64);

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
