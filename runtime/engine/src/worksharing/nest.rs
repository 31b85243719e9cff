//! Counts and divides collapsed loop nests whose inner bounds may depend on an outer loop's
//! variable.
//!
//! Who calls: `capi`, with the loops as its compiler describes them ([`Level`]). The nest is
//! counted exactly, so that the threads' parts differ by one iteration at most. A level on which no
//! deeper loop depends costs one division. If a deeper loop depends on it, the count goes through
//! its iterations one by one. A thread gets the first and the last point of its part, in the order
//! of the sequential loops.
//!
//! Arithmetic is that of the loop's type: modulo 2^32 or 2^64, compared as signed or unsigned.

/// An integer type of the program's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The number of bits: 8, 16, 32 or 64.
    pub bits: u32,
    /// Whether the type has negative values.
    pub signed: bool,
}

impl Number {
    /// Returns `value` cut to the type and extended again with its sign or with zeros.
    #[inline]
    pub fn fit(self, value: u64) -> u64 {
        let beyond = u64::BITS - self.bits;
        let top = value << beyond;
        if self.signed { (top as i64 >> beyond) as u64 } else { top >> beyond }
    }

    /// Returns a value of the type as a number that compares as the type does.
    fn ordered(self, value: u64) -> i128 {
        if self.signed { i128::from(value as i64) } else { i128::from(value) }
    }
}

/// One loop of a nest, from `lower.0 + lower.1 * outer's variable` to `upper.0 + upper.1 * outer's
/// variable`, both included.
pub trait Level {
    /// Returns the type of the bounds.
    fn number(&self) -> Number;
    /// Returns the type of the variable.
    fn variable(&self) -> Number;
    /// Whether the loop runs up.
    fn is_up(&self) -> bool;
    /// Returns the loop on which the bounds depend, if a factor is not 0.
    fn outer(&self) -> Option<usize>;
    /// Returns the lower bound and its factor.
    fn lower(&self) -> (u64, u64);
    /// Returns the upper bound and its factor.
    fn upper(&self) -> (u64, u64);
    /// Returns the step from one value of the variable to the next; negative for a loop that runs
    /// down.
    fn step(&self) -> i64;

    /// Returns the number of iterations between two bounds.
    fn trips(&self, lower: u64, upper: u64) -> u64 {
        let (lower, upper) = (self.number().ordered(lower), self.number().ordered(upper));
        let span = if self.is_up() { upper - lower } else { lower - upper };
        let step = i128::from(self.step()).abs().max(1);
        if span < 0 { 0 } else { u64::try_from(span / step + 1).unwrap_or(u64::MAX) }
    }

    /// Returns the variable's value in iteration `number` from `lower`.
    fn value(&self, lower: u64, number: u64) -> u64 {
        let value = lower.wrapping_add(number.wrapping_mul(self.step() as u64));
        self.variable().fit(self.number().fit(value))
    }
}

/// The loops of a nest, the outermost first.
pub struct Nest<'a, L> {
    /// The loops, one for each level.
    pub loops: &'a [L],
}

impl<L: Level> Nest<'_, L> {
    /// Returns the first and the last value of the loop at `level`, with the outer variables in
    /// `at`.
    pub fn bounds(&self, level: usize, at: &[u64]) -> (u64, u64) {
        let this = &self.loops[level];
        let outer = this.outer().filter(|&outer| outer < level);
        let outer = outer.and_then(|outer| at.get(outer)).map_or(0, |&value| value);
        let bound = |(base, factor): (u64, u64)| {
            this.number().fit(base.wrapping_add(factor.wrapping_mul(outer)))
        };
        (bound(this.lower()), bound(this.upper()))
    }

    /// Whether a deeper loop's bounds depend on this level's variable.
    fn decides(&self, level: usize) -> bool {
        let depends = |deeper: &L| {
            let fit = |factor| deeper.number().fit(factor);
            deeper.outer() == Some(level)
                && (fit(deeper.lower().1) != 0 || fit(deeper.upper().1) != 0)
        };
        self.loops[level + 1..].iter().any(depends)
    }

    /// Returns the number of iterations of the loops from `level` on, with the outer variables in
    /// `at`.
    pub fn count(&self, level: usize, at: &mut [u64]) -> u64 {
        let Some(this) = self.loops.get(level) else { return 1 };
        let (lower, upper) = self.bounds(level, at);
        let trips = this.trips(lower, upper);
        if level + 1 == self.loops.len() || trips == 0 {
            return trips;
        }
        at[level] = lower;
        if !self.decides(level) {
            return trips.wrapping_mul(self.count(level + 1, at));
        }
        let mut sum = 0u64;
        for number in 0..trips {
            at[level] = this.value(lower, number);
            sum = sum.wrapping_add(self.count(level + 1, at));
        }
        sum
    }

    /// Writes the variables in iteration `index` of the whole nest to `at`.
    pub fn point(&self, mut index: u64, at: &mut [u64]) {
        for (level, this) in self.loops.iter().enumerate() {
            let (lower, upper) = self.bounds(level, at);
            at[level] = lower;
            if !self.decides(level) {
                let inner = self.count(level + 1, at).max(1);
                at[level] = this.value(lower, index / inner);
                index %= inner;
                continue;
            }
            for number in 0..this.trips(lower, upper) {
                at[level] = this.value(lower, number);
                let inner = self.count(level + 1, at);
                if index < inner {
                    break;
                }
                index -= inner;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Number = Number { bits: 32, signed: true };
    const UNSIGNED: Number = Number { bits: 32, signed: false };

    struct Loop {
        number: Number,
        lower: (u64, u64),
        upper: (u64, u64),
        step: i64,
    }

    impl Level for Loop {
        fn number(&self) -> Number {
            self.number
        }
        fn variable(&self) -> Number {
            self.number
        }
        fn is_up(&self) -> bool {
            self.step > 0
        }
        fn outer(&self) -> Option<usize> {
            Some(0)
        }
        fn lower(&self) -> (u64, u64) {
            self.lower
        }
        fn upper(&self) -> (u64, u64) {
            self.upper
        }
        fn step(&self) -> i64 {
            self.step
        }
    }

    fn a_loop(number: Number, lower: (u64, u64), upper: (u64, u64)) -> Loop {
        Loop { number, lower, upper, step: 1 }
    }

    #[test]
    fn a_triangle_is_walked_in_order() {
        // for (i = 0; i <= 4; i++) for (j = i; j <= 4; j++)
        let loops = [a_loop(INT, (0, 0), (4, 0)), a_loop(INT, (0, 1), (4, 0))];
        let (nest, mut at) = (Nest { loops: &loops }, [0; 2]);
        assert_eq!(nest.count(0, &mut at), 15);
        let mut index = 0;
        for i in 0..5u64 {
            for j in i..5 {
                nest.point(index, &mut at);
                assert_eq!(at, [i, j]);
                index += 1;
            }
        }
    }

    #[test]
    fn bounds_that_fall_and_negative_factors() {
        // for (i = 3; i >= -2; i -= 2) for (j = -i; j <= 3; j++), in 32 bits
        let outer = Loop { step: -2, ..a_loop(INT, (3, 0), (-2i64 as u64, 0)) };
        let inner = a_loop(INT, (0, u64::from(u32::MAX)), (3, 0));
        let loops = [outer, inner];
        let (nest, mut at) = (Nest { loops: &loops }, [0; 2]);
        // 3: -3..=3 is 7; 1: 5; -1: 3.
        assert_eq!(nest.count(0, &mut at), 15);
        nest.point(14, &mut at);
        assert_eq!(at.map(|value| value as i64), [-1, 3]);
    }

    #[test]
    fn the_ends_of_unsigned_types() {
        let max = u64::from(u32::MAX);
        let loops = [a_loop(UNSIGNED, (0, 0), (max, 0)), a_loop(UNSIGNED, (0, 0), (1, 0))];
        let (nest, mut at) = (Nest { loops: &loops }, [0; 2]);
        assert_eq!(nest.count(0, &mut at), 1 << 33);
        nest.point((1 << 33) - 1, &mut at);
        assert_eq!(at, [max, 1]);
    }

    #[test]
    fn every_type_cuts_and_extends() {
        for bits in [8, 16, 32, 64] {
            assert_eq!(Number { bits, signed: true }.fit(u64::MAX), u64::MAX);
            let largest = u64::MAX >> (64 - bits);
            assert_eq!(Number { bits, signed: false }.fit(u64::MAX), largest);
        }
    }
}
