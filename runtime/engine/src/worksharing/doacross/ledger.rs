//! The memory of a nest with dependences: a header that describes its loops, and after it the
//! ledger that says which iterations are done.

use core::sync::atomic::{AtomicU64, Ordering};

/// One loop of the nest: its first and last value and its step.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Dimension {
    /// The loop variable's value in the first iteration.
    pub first: i64,
    /// The bound: no iteration has a value beyond it, and one may have it.
    pub last: i64,
    /// The number that is added from one iteration to the next, not 0. Below 0 the loop counts
    /// down.
    pub step: i64,
}

impl Dimension {
    /// Returns the number of iterations.
    pub(super) fn count(&self) -> u64 {
        self.number(self.last).map_or(0, |last| last.saturating_add(1))
    }

    /// Returns the number of the iteration with this value, if there is one.
    fn number(&self, value: i64) -> Option<u64> {
        let (low, high) =
            if self.step < 0 { (self.last, self.first) } else { (self.first, self.last) };
        if value < low || value > high {
            return None;
        }
        let distance = value.abs_diff(self.first);
        Some(distance / self.step.unsigned_abs().max(1))
    }
}

/// The words of the header for each loop. The first word of the header has the number of loops.
pub(crate) const PER_LOOP: usize = 4;
pub(super) const fn header(loops: usize) -> usize {
    1 + PER_LOOP * loops
}
/// A bit of the first word: the ledger has bits, not counters.
pub(crate) const BITS: u64 = 1 << 32;

/// A member's view of the nest's memory.
#[derive(Clone, Copy)]
pub(super) struct Nest(*const AtomicU64);

impl Nest {
    /// Returns the nest in this memory, which the construct's members share.
    pub(super) fn at(memory: *mut u8) -> Nest {
        Nest(memory.cast())
    }

    /// Returns the nest to which the calling member's slot points; `None` if the pointer is null.
    #[inline(always)]
    pub(super) fn of(words: *const AtomicU64) -> Option<Nest> {
        (!words.is_null()).then_some(Nest(words))
    }

    /// Returns the address of the nest's memory.
    pub(super) fn words(self) -> *const AtomicU64 {
        self.0
    }

    #[inline(always)]
    pub(super) fn word(self, index: usize) -> &'static AtomicU64 {
        // SAFETY: the memory is as long as the first member asked for and stays until every member
        // has passed the construct; indices come from the header.
        unsafe { &*self.0.add(index) }
    }

    pub(super) fn write_header(self, dimensions: &[Dimension], form: u64) {
        self.word(0).store(dimensions.len() as u64 | form, Ordering::Relaxed);
        for (index, dimension) in dimensions.iter().enumerate() {
            let Dimension { first, last, step } = *dimension;
            let words = [dimension.count(), first as u64, last as u64, step as u64];
            for (part, value) in words.into_iter().enumerate() {
                self.word(header(index) + part).store(value, Ordering::Relaxed);
            }
        }
    }

    pub(super) fn loops(self) -> usize {
        (self.word(0).load(Ordering::Relaxed) & (BITS - 1)) as usize
    }

    #[inline(always)]
    pub(super) fn has_bits(self) -> bool {
        self.word(0).load(Ordering::Relaxed) & BITS != 0
    }

    /// Returns an iteration's number in the outermost loop and its number in the whole nest; `None`
    /// if one of the values is outside its loop.
    pub(super) fn number(self, values: impl Fn(usize, u64) -> i64) -> Option<(u64, u64)> {
        let mut outer = 0;
        let mut number = 0u64;
        for index in 0..self.loops() {
            let get = |part| self.word(header(index) + part).load(Ordering::Relaxed);
            let (count, first, step) = (get(0), get(1) as i64, get(3) as i64);
            let value = values(index, count);
            let here = if step == 1 {
                // For a value below the first one this wraps around, and is too large as well.
                let here = value.wrapping_sub(first) as u64;
                (here < count).then_some(here)?
            } else {
                Dimension { first, last: get(2) as i64, step }.number(value)?
            };
            if index == 0 {
                outer = here;
            }
            number = number.wrapping_mul(count).wrapping_add(here);
        }
        Some((outer, number))
    }

    /// Returns the number of an iteration of the most common nest: one loop with step 1. `None` for
    /// other nests, and outside the loop.
    #[inline(always)]
    pub(super) fn usual_number(self, values: &impl Fn(usize, u64) -> i64) -> Option<u64> {
        if self.word(0).load(Ordering::Relaxed) & !BITS != 1 {
            return None;
        }
        let get = |part| self.word(header(0) + part).load(Ordering::Relaxed);
        let (count, first, step) = (get(0), get(1) as i64, get(3));
        let here = values(0, count).wrapping_sub(first) as u64;
        (step == 1 && here < count).then_some(here)
    }

    /// Returns the number of iterations of the loop with this index.
    pub(super) fn count(self, index: usize) -> u64 {
        self.word(header(index)).load(Ordering::Relaxed)
    }

    pub(super) fn ledger(self, index: usize) -> &'static AtomicU64 {
        self.word(header(self.loops()) + index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_numbers_inside_their_loop_only() {
        let up = Dimension { first: 3, last: 12, step: 3 };
        assert_eq!(up.count(), 4);
        assert_eq!(up.number(9), Some(2));
        assert_eq!(up.number(0), None);
        assert_eq!(up.number(15), None);
        let down = Dimension { first: 5, last: -5, step: -1 };
        assert_eq!(down.count(), 11);
        assert_eq!(down.number(-5), Some(10));
        assert_eq!(down.number(6), None);
    }
}
