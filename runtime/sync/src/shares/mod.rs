//! Numbered shares of work. One thread executes them in order, while others take halves of the
//! rest. They are the tasks of a taskloop (`tasks/split.rs` of the engine).
//!
//! The shares stand in a record that works as a *ticket*. It is in a queue, where others find the
//! shares, and in the hands of the thread that executes them. Both hold it; a thread that takes it
//! out of the queue holds it in the queue's stead.
//!
//! | step | done by | how |
//! |---|---|---|
//! | [`Shares::next`], [`Shares::lease`] | the owner | the front of the range |
//! | [`Shares::half`] | a thread that took the ticket out of a queue | the back half; it makes a ticket of its own of that |
//! | [`Shares::put_down`] | a holder that will not touch them again | one less; the last one completes the record |
//!
//! **Each share goes to one thread**: `ranges::Leased` argues it. **A ticket is completed once, and
//! no thread touches it afterwards**: a holder touches it only before it puts it down, and the last
//! one to do so (acquire) comes after all that the others did (release). It is in one queue at a
//! time, since only the thread that took it out puts it back.

use crate::ranges::{Found, Leased, MOST_UNITS, Seen};
use crate::shim::{AtomicU32, Ordering};

/// The order of a part's shares: the first one, and whether the numbers go down from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    first: u64,
    down: bool,
}

impl Order {
    /// The order from 0 upwards.
    pub const UP: Order = Order { first: 0, down: false };

    /// Returns the lowest of `count` shares, of which the part's first is number `number`.
    #[inline(always)]
    fn lowest(self, number: u64, count: u64) -> u64 {
        self.at(if self.down { number + count - 1 } else { number })
    }

    /// Returns share number `number` of the part.
    #[inline(always)]
    fn at(self, number: u64) -> u64 {
        if self.down { self.first - number } else { self.first + number }
    }

    /// Returns the order of a part that consists of this one's shares before number `end`, from
    /// there backwards.
    fn back_from(self, end: u64) -> Order {
        Order { first: self.at(end - 1), down: !self.down }
    }
}

/// The shares that a thread that came to help gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// This many shares, in this order.
    Of(u64, Order),
    /// The part has so few shares that the owner, which keeps taking them, is done before a helper.
    Few,
    /// There are none.
    Nothing,
}

/// The shares of a ticket.
pub struct Shares {
    /// The shares, by their number in the order.
    range: Leased,
    order: Order,
    holders: AtomicU32,
}

#[cfg(not(loom))]
omphalos_layout::describe!(<> Shares as ("Shares") { range });
/// The parts of the shares that a debugger may read: see `ranges::LEASED`.
#[cfg(not(loom))]
pub const SHARES: omphalos_layout::Structure = <Shares as omphalos_layout::Described>::STRUCTURE;

impl Shares {
    /// Makes `count` shares. The owner has leased the first `leased`, at least one; the ticket has
    /// `holders` holders.
    pub fn new((count, leased): (u64, u64), order: Order, holders: u32) -> Shares {
        debug_assert!(count <= MOST_UNITS);
        Shares { range: Leased::new(count, leased), order, holders: AtomicU32::new(holders) }
    }

    /// Begins the next `row` shares that the owner has leased, and returns the lowest. Only the
    /// owner calls it. If there are not so many, [`lease`](Self::lease) comes next.
    #[inline(always)]
    pub fn next(&self, row: u64) -> Option<u64> {
        self.range.next(row).map(|number| self.order.lowest(number, row))
    }

    /// Leases up to `most()` shares for the owner if it has begun all of its lease, and begins up
    /// to `row`. Returns the lowest of these and their number. More than are begun at once are
    /// leased only if every thread can be made to pass a barrier.
    #[inline]
    pub fn lease(&self, most: impl FnOnce() -> u64, row: u64) -> Option<(u64, u64)> {
        let (number, count) = self.range.lease(most, row)?;
        Some((self.order.lowest(number, count), count))
    }

    /// Whether nothing seems to be left of the shares.
    #[inline(always)]
    pub fn is_spent(&self) -> bool {
        self.range.is_spent()
    }

    /// Takes the back half of the shares that are left, or all that the owner has leased and not
    /// begun. Takes the latter, or no more than `few` shares, only if the owner has taken none
    /// since the last look (`seen`).
    pub fn half(&self, few: u64, seen: &mut Seen) -> Half {
        match self.range.steal(few, seen) {
            Found::Units(first, end) => Half::Of(end - first, self.order.back_from(end)),
            Found::Few => Half::Few,
            _ => Half::Nothing,
        }
    }

    /// Ends a holder's hold. Returns true for the last holder, which then completes the ticket.
    #[inline(always)]
    pub fn put_down(&self) -> bool {
        self.holders.fetch_sub(1, Ordering::AcqRel) == 1
    }
}

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn shares(order: Order, count: u64) -> Vec<u64> {
        (0..count).map(|number| order.at(number)).collect()
    }

    #[test]
    fn helpers_begin_at_the_far_end() {
        assert_eq!(shares(Order::UP, 4), [0, 1, 2, 3]);
        // The back half of eight, and the back half of that.
        let helper = Order::UP.back_from(8);
        assert_eq!(shares(helper, 4), [7, 6, 5, 4]);
        let second = helper.back_from(4);
        assert_eq!(shares(second, 2), [4, 5]);
        // Rows begin with their lowest share.
        assert_eq!((helper.lowest(0, 3), second.lowest(0, 2)), (5, 4));
    }

    #[test]
    fn a_half_leaves_the_front() {
        let all = Shares::new((5, 1), Order::UP, 1);
        assert_eq!(all.half(0, &mut Seen::default()), Half::Of(2, Order { first: 4, down: true }));
        let next = || all.next(1).or_else(|| all.lease(|| 1, 1).map(|(share, _)| share));
        assert_eq!((next(), next(), next(), next()), (Some(0), Some(1), Some(2), None));
        assert_eq!(all.half(0, &mut Seen::default()), Half::Nothing);
        assert!(all.is_spent() && all.put_down());
    }
}
