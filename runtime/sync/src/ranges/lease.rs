//! A range whose owner takes several units at once: it *leases* them by one locked instruction, and
//! then begins one after the other by plain loads and stores. A thief that finds nothing else takes
//! back those that the owner has not begun.
//!
//! The range's word is as in [`ranges`](super). The lease is the units from `begun` up to the
//! range's first one. `begun` is the number of the unit that the owner begins next; only the owner
//! writes it.
//!
//! | step | done by | how |
//! |---|---|---|
//! | [`Leased::next`] | owner | stores that it begins the units, then looks whether its lease still has them |
//! | [`Leased::lease`] | owner, behind its lease | compare-exchange: the first unit moves up |
//! | [`Leased::steal`] | thief | as in a range; if the range is empty, it revokes the lease |
//!
//! What must hold: at most one thief looks at a time.
//!
//! **Each unit goes to one thread.** For units in the range, [`ranges`](super) has the argument. A
//! thief takes units of the lease only while the range is empty. It then stays empty, so no thread
//! but the thief writes the word. The thief cuts the lease behind the units that it saw begun,
//! makes every thread of the process pass a barrier ([`shim::barrier_of_all`](crate::shim)) and
//! then reads `begun` again. The owner begins a unit `x`, perhaps with others after it, by a store
//! of `begun` and then a look at the word. The barrier meets it in one of two places:
//!
//! - after the store: the thief reads a `begun` above `x` and those others, and leaves to the owner
//!   as many of them as the lease had;
//! - before the store: the look at the word then comes after the barrier, too. The owner sees the
//!   cut, and begins `x` only if `x` is below it.
//!
//! The thief moves the cut up to the `begun` that it read. An owner that stood at the cut waits
//! until that is done ([`REVOKING`]), and then sees which units are its own. So the units below the
//! last cut are the owner's, and those above it the thief's. (The owner may have stored that it
//! begins more units than its lease has. Then it begins those that there are, and stores where they
//! end afterwards. By either number nothing is left of the lease.)
//!
//! Leases of more than one unit need such barriers of the system. Without them the owner leases one
//! unit at a time, which it begins at once, so nothing can be revoked.
//!
//! The first lease costs nothing: it stands in the word before another thread sees the range.

use super::{BITS, Found, Seen, Word, parts_of};
use crate::completion::give_way;
use crate::shim::{AtomicU64, Ordering, barrier_of_all, own_barrier};

/// A bit of the word: a thief has cut the lease and has not yet found out where. Ranges of loops
/// have their tag in these bits; this range belongs to no loop.
const REVOKING: u64 = 1 << 63;

/// A range whose owner leases units.
pub struct Leased {
    range: Word,
    /// The number of the owner's next unit.
    begun: AtomicU64,
}

#[cfg(not(loom))]
omphalos_layout::describe!(<> Leased as ("Leased") { range, begun });
/// The parts of the leased range that a debugger may read: the units that no thread has begun are
/// those from `begun` up to the end that the word has.
#[cfg(not(loom))]
pub const LEASED: omphalos_layout::Structure = <Leased as omphalos_layout::Described>::STRUCTURE;
/// For [`LEASED`]: the number of the word's bits below the end, and of the bits of the end.
#[cfg(not(loom))]
pub const END_BITS: u32 = BITS;

impl Leased {
    /// Makes the range of the units from 0 up to `count`. The owner has leased the first `leased`,
    /// at least one.
    pub fn new(count: u64, leased: u64) -> Leased {
        debug_assert!(1 <= leased && leased <= count);
        Leased { range: Word::new(count << BITS | leased), begun: AtomicU64::new(0) }
    }

    /// Begins the next `row` units of the owner's lease. Returns `None` if there are not so many;
    /// then [`lease`](Self::lease) comes next.
    #[inline(always)]
    pub fn next(&self, row: u64) -> Option<u64> {
        let unit = self.begun.load(Ordering::Relaxed);
        self.begun.store(unit + row, Ordering::Relaxed);
        own_barrier();
        let (leased, _) = parts_of(self.range.0.load(Ordering::Relaxed));
        (unit + row <= leased).then_some(unit)
    }

    /// Leases and begins units for the owner, to which [`next`](Self::next) gave nothing for `row`.
    /// Leases up to `most()` units if the lease has none left and the range has some; otherwise
    /// does not call `most`. Begins up to `row` units, and returns the first and their number.
    #[inline]
    pub fn lease(&self, most: impl FnOnce() -> u64, row: u64) -> Option<(u64, u64)> {
        // `next` has already stored that they are begun.
        let unit = self.begun.load(Ordering::Relaxed) - row;
        let begin = |leased: u64| {
            let end = leased.min(unit + row);
            self.begun.store(end, Ordering::Relaxed);
            Some((unit, end - unit))
        };
        let mut asked = Err(most);
        let mut word = self.range.0.load(Ordering::Relaxed);
        loop {
            if word & REVOKING != 0 {
                give_way();
                word = self.range.0.load(Ordering::Relaxed);
                continue;
            }
            let (leased, end) = parts_of(word);
            if unit < leased {
                // The lease had fewer than `row`, or the thief moved its cut.
                return begin(leased);
            }
            if leased >= end {
                self.begun.store(unit, Ordering::Relaxed);
                return None;
            }
            let most = match asked {
                Ok(most) => most,
                Err(most) => most(),
            };
            asked = Ok(most);
            let more = most.clamp(1, end - leased);
            let new = word + more;
            match self.range.0.compare_exchange(word, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return begin(leased + more),
                Err(now) => word = now,
            }
        }
    }

    /// Whether nothing seems to be left of the range and the lease.
    #[inline(always)]
    pub fn is_spent(&self) -> bool {
        let (leased, end) = parts_of(self.range.0.load(Ordering::Relaxed));
        leased >= end && self.begun.load(Ordering::Relaxed) >= leased
    }

    /// Takes half of the range for a thief, at least one unit, or the lease if the range is empty.
    /// Takes the lease, or no more than `few` units, only if the owner has begun none since the
    /// thief last looked (`seen`).
    #[inline]
    pub fn steal(&self, few: u64, seen: &mut Seen) -> Found {
        match self.range.steal(0, few, seen) {
            Found::Units(first, end) => Found::Units(first, end),
            Found::Few => Found::Few,
            _ => self.revoke(seen),
        }
    }

    /// Takes the rest of the lease back, for a thief that found the range empty.
    #[cold]
    fn revoke(&self, seen: &mut Seen) -> Found {
        let word = &self.range.0;
        let before = word.load(Ordering::Relaxed);
        let (leased, _) = parts_of(before);
        let begun = self.begun.load(Ordering::Relaxed);
        if begun >= leased {
            return Found::Nothing;
        }
        if seen.0 != REVOKING | begun {
            seen.0 = REVOKING | begun;
            return Found::Few;
        }
        let empty_from = |unit: u64| unit << BITS | unit;
        word.store(REVOKING | empty_from(begun), Ordering::Relaxed);
        if !barrier_of_all() {
            // The system had such barriers when the owner leased more than one unit.
            word.store(before, Ordering::Relaxed);
            return Found::Few;
        }
        // An owner that stands behind its lease has stored one more.
        let cut = self.begun.load(Ordering::Relaxed).clamp(begun, leased);
        word.store(empty_from(cut), Ordering::Relaxed);
        if cut < leased { Found::Units(cut, leased) } else { Found::Nothing }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Begins units until the owner has none, by leases of `most`.
    fn rest(leased: &Leased, most: u64) -> Vec<u64> {
        core::iter::from_fn(|| begin(leased, most)).collect()
    }

    fn begin(leased: &Leased, most: u64) -> Option<u64> {
        leased.next(1).or_else(|| leased.lease(|| most, 1).map(|(unit, _)| unit))
    }

    #[test]
    fn the_owner_begins_all() {
        for most in [1, 3, 100] {
            let leased = Leased::new(10, 1);
            assert!(!leased.is_spent());
            assert_eq!(rest(&leased, most), (0..10).collect::<Vec<_>>());
            assert!(leased.is_spent());
            assert_eq!(rest(&leased, most), []);
            assert_eq!(leased.steal(0, &mut Seen::default()), Found::Nothing);
        }
    }

    #[test]
    fn the_owner_begins_rows_and_what_is_left() {
        let leased = Leased::new(8, 7);
        let next = |row| {
            let whole = leased.next(row).map(|unit| (unit, row));
            whole.or_else(|| leased.lease(|| 7, row))
        };
        assert_eq!((next(3), next(3)), (Some((0, 3)), Some((3, 3))));
        // The lease has one more, and then the range.
        assert_eq!((next(3), next(3), next(3)), (Some((6, 1)), Some((7, 1)), None));
        assert!(leased.is_spent());
    }

    #[test]
    fn a_thief_takes_from_the_range_first() {
        let leased = Leased::new(10, 4);
        assert_eq!(begin(&leased, 4), Some(0));
        let mut seen = Seen::default();
        assert_eq!(leased.steal(0, &mut seen), Found::Units(7, 10));
        assert_eq!(rest(&leased, 4), (1..7).collect::<Vec<_>>());
    }

    #[cfg(not(miri))]
    #[test]
    fn a_thief_revokes_a_lease_of_which_the_owner_begins_nothing() {
        if !omphalos_sys::barrier::register() {
            return;
        }
        let leased = Leased::new(10, 10);
        assert_eq!(begin(&leased, 10), Some(0));
        let mut seen = Seen::default();
        assert_eq!(leased.steal(0, &mut seen), Found::Few);
        assert_eq!(leased.next(1), Some(1));
        assert_eq!(leased.steal(0, &mut seen), Found::Few);
        assert!(!leased.is_spent());
        assert_eq!(leased.steal(0, &mut seen), Found::Units(2, 10));
        assert!(leased.is_spent());
        assert_eq!(rest(&leased, 10), []);
    }
}
