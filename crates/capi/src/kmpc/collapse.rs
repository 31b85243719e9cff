//! `__kmpc_for_collapsed_init` and the rectangular pair: collapsed loop nests whose inner bounds may
//! depend on an outer loop's variable.
//!
//! The nest is counted exactly, so that threads differ by one iteration at most. A level on which no
//! deeper loop depends costs a division; one on which some do is walked. What a thread gets is the
//! first and the last point of its part, in the order of the sequential loops.
//!
//! Arithmetic is that of the loop's type: modulo 2^32 or 2^64, compared as signed or unsigned.

use crate::shared::location::Ident;
use omphalos_engine::worksharing::{LoopSpec, hooks, static_share};
use omphalos_engine::{Thread, caller};
use omphalos_events::Endpoint;

const LESS_OR_EQUAL: i32 = 0;
const GREATER_OR_EQUAL: i32 = 1;
const NOT_EQUAL: i32 = 2;
const LESS: i32 = 3;

/// One loop of a nest (`bounds_info_t`): from `lower0 + lower1 * outer's variable` to the same of
/// `upper`. Loops of 4-byte types use the low half of each word.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Loop {
    /// Type of the bounds: 0 to 7 for unsigned and signed 8, 16, 32 and 64 bits.
    kind: i32,
    /// Type of the loop's variable.
    variable: i32,
    comparison: i32,
    /// The loop that the bounds depend on, if `lower1` or `upper1` is not 0.
    outer: i32,
    lower0: u64,
    lower1: u64,
    upper0: u64,
    upper1: u64,
    step: i64,
    trip: u64,
}

/// `value` cut to a type and extended again as that type is.
fn fit(kind: i32, value: u64) -> u64 {
    match kind {
        0 => u64::from(value as u8),
        1 => i64::from(value as i8) as u64,
        2 => u64::from(value as u16),
        3 => i64::from(value as i16) as u64,
        4 => u64::from(value as u32),
        5 => i64::from(value as i32) as u64,
        _ => value,
    }
}

impl Loop {
    fn step(&self) -> i64 {
        if self.kind < 6 { i64::from(self.step as i32) } else { self.step }
    }

    /// `<` and `!=` become `<=` or `>=`.
    fn canonical(&mut self) {
        if self.comparison == NOT_EQUAL {
            self.comparison = if self.step() > 0 { LESS } else { LESS + 1 };
        }
        let (comparison, behind) = match self.comparison {
            LESS => (LESS_OR_EQUAL, self.upper0.wrapping_sub(1)),
            GREATER_OR_EQUAL | LESS_OR_EQUAL => return,
            _ => (GREATER_OR_EQUAL, self.upper0.wrapping_add(1)),
        };
        self.comparison = comparison;
        self.upper0 = fit(self.kind, behind);
    }

    /// A bound where the loop it depends on stands at `outer`.
    fn bound(&self, base: u64, factor: u64, outer: u64) -> u64 {
        fit(self.kind, base.wrapping_add(factor.wrapping_mul(outer)))
    }

    /// A bound as a number that compares as its type does.
    fn ordered(&self, value: u64) -> i128 {
        if self.kind % 2 == 0 { i128::from(value) } else { i128::from(value as i64) }
    }

    /// Iterations between two bounds.
    fn trips(&self, lower: u64, upper: u64) -> u64 {
        let (lower, upper) = (self.ordered(lower), self.ordered(upper));
        let span = if self.comparison == LESS_OR_EQUAL { upper - lower } else { lower - upper };
        let step = i128::from(self.step()).abs().max(1);
        if span < 0 { 0 } else { u64::try_from(span / step + 1).unwrap_or(u64::MAX) }
    }

    /// The variable's value in iteration `number` from `lower`.
    fn value(&self, lower: u64, number: u64) -> u64 {
        let value = lower.wrapping_add(number.wrapping_mul(self.step() as u64));
        fit(self.variable, fit(self.kind, value))
    }
}

/// A nest whose loops are canonical.
struct Nest<'a> {
    loops: &'a [Loop],
}

impl Nest<'_> {
    /// First and last value of the loop at `level`, with the outer variables in `at`.
    fn bounds(&self, level: usize, at: &[u64]) -> (u64, u64) {
        let this = &self.loops[level];
        let outer = usize::try_from(this.outer).ok().filter(|&outer| outer < level);
        let outer = outer.and_then(|outer| at.get(outer)).map_or(0, |&value| value);
        let lower = this.bound(this.lower0, this.lower1, outer);
        (lower, this.bound(this.upper0, this.upper1, outer))
    }

    /// Whether a deeper loop's bounds depend on this level's variable.
    fn decides(&self, level: usize) -> bool {
        let depends = |deeper: &Loop| {
            deeper.outer == level as i32
                && (fit(deeper.kind, deeper.lower1) != 0 || fit(deeper.kind, deeper.upper1) != 0)
        };
        self.loops[level + 1..].iter().any(depends)
    }

    /// Iterations of the loops from `level` on.
    fn count(&self, level: usize, at: &mut [u64]) -> u64 {
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

    /// The variables in iteration `index` of the whole nest.
    fn point(&self, mut index: u64, at: &mut [u64]) {
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

/// # Safety
/// `loops` is valid for `count` reads and writes.
unsafe fn canonical<'a>(loops: *mut Loop, count: i32) -> &'a mut [Loop] {
    let count = usize::try_from(count).unwrap_or(0);
    if loops.is_null() || count == 0 {
        return &mut [];
    }
    // SAFETY: the caller's promise.
    let loops = unsafe { core::slice::from_raw_parts_mut(loops, count) };
    loops.iter_mut().for_each(Loop::canonical);
    loops
}

/// Makes a rectangular nest canonical, notes each loop's iterations, and returns those of all.
///
/// # Safety
/// Part of LLVM's interface: `loops` is valid for `count` reads and writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_process_loop_nest_rectang(
    _location: *const Ident,
    _gtid: i32,
    loops: *mut Loop,
    count: i32,
) -> u64 {
    // SAFETY: the caller's promise.
    let loops = unsafe { canonical(loops, count) };
    loops.iter_mut().fold(1, |total: u64, this| {
        let (lower, upper) = (fit(this.kind, this.lower0), fit(this.kind, this.upper0));
        this.trip = this.trips(lower, upper);
        total.wrapping_mul(this.trip)
    })
}

/// The variables of a rectangular nest in iteration `number` of all.
///
/// # Safety
/// Part of LLVM's interface: `loops` went through `__kmpc_process_loop_nest_rectang`; both arrays
/// have `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_calc_original_ivs_rectang(
    _location: *const Ident,
    number: u64,
    loops: *const Loop,
    variables: *mut u64,
    count: i32,
) {
    let count = usize::try_from(count).unwrap_or(0);
    if count == 0 {
        return;
    }
    // SAFETY: the caller's promise.
    let (loops, variables) = unsafe {
        (
            core::slice::from_raw_parts(loops, count),
            core::slice::from_raw_parts_mut(variables, count),
        )
    };
    let mut number = number;
    for (this, variable) in loops.iter().zip(variables.iter_mut()).rev() {
        *variable = number % this.trip.max(1);
        number /= this.trip.max(1);
    }
    let nest = Nest { loops };
    for (level, this) in loops.iter().enumerate() {
        let (lower, _) = nest.bounds(level, variables);
        variables[level] = this.value(lower, variables[level]);
    }
}

unsafe extern "C" fn init(
    _location: *const Ident,
    _gtid: i32,
    loops: *mut Loop,
    part: *mut Loop,
    count: i32,
    last: *mut i32,
) -> i32 {
    let caller = caller();
    let thread = Thread::current();
    // SAFETY: the compiler's code passes `count` loops, which each thread has for itself.
    let nest = Nest { loops: unsafe { canonical(loops, count) } };
    let mut at = vec![0; nest.loops.len()];
    let trip = if nest.loops.is_empty() { 0 } else { nest.count(0, &mut at) };
    let spec = LoopSpec { trip, ..LoopSpec::NONE };
    hooks::work(thread, &spec, Endpoint::Begin, caller);
    thread.slot().share.note_static(spec.kind, trip);
    let share = static_share(&spec, thread.team().size.get(), thread.num.get(), 0);
    // SAFETY: the compiler's code passes a valid address or null.
    if let Some(last) = unsafe { last.as_mut() } {
        *last = i32::from(share.is_some_and(|share| share.last));
    }
    let Some(share) = share else { return 0 };
    hooks::dispatch_chunk(thread, &spec, &share);
    let mut end = at.clone();
    nest.point(share.first, &mut at);
    nest.point(share.first + (share.count - 1), &mut end);
    for (level, this) in nest.loops.iter().enumerate() {
        let ends = Loop { lower0: at[level], lower1: 0, upper0: end[level], upper1: 0, ..*this };
        // SAFETY: the compiler's code passes room for `count` loops.
        unsafe { part.add(level).write(ends) };
    }
    1
}

omphalos_sys::entries! {
    /// The calling thread's part of a collapsed nest: 1, and its first and last point as lower and
    /// upper bounds; 0 if there is nothing for it.
    __kmpc_for_collapsed_init => init;
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: i32 = 5;
    const UNSIGNED: i32 = 4;

    fn a_loop(kind: i32, comparison: i32, lower: (u64, u64), upper: (u64, u64)) -> Loop {
        let mut this = Loop {
            kind,
            variable: kind,
            comparison,
            outer: 0,
            lower0: lower.0,
            lower1: lower.1,
            upper0: upper.0,
            upper1: upper.1,
            step: 1,
            trip: 0,
        };
        this.canonical();
        this
    }

    #[test]
    fn a_triangle_is_walked_in_order() {
        // for (i = 0; i < 5; i++) for (j = i; j <= 4; j++)
        let loops = [a_loop(INT, LESS, (0, 0), (5, 0)), a_loop(INT, 0, (0, 1), (4, 0))];
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
        // for (i = 3; i > -3; i -= 2) for (j = -i; j != 4; j++), in 32 bits
        let mut outer = a_loop(INT, LESS + 1, (3, 0), (-3i64 as u64, 0));
        outer.step = -2;
        let inner = a_loop(INT, NOT_EQUAL, (0, u64::from(u32::MAX)), (4, 0));
        let loops = [outer, inner];
        let (nest, mut at) = (Nest { loops: &loops }, [0; 2]);
        // 3: -3..3 is 7; 1: 5; -1: 3.
        assert_eq!(nest.count(0, &mut at), 15);
        nest.point(14, &mut at);
        assert_eq!(at.map(|value| value as i64), [-1, 3]);
    }

    #[test]
    fn the_ends_of_unsigned_types() {
        let max = u64::from(u32::MAX);
        let loops = [a_loop(UNSIGNED, 0, (0, 0), (max, 0)), a_loop(UNSIGNED, 0, (0, 0), (1, 0))];
        let (nest, mut at) = (Nest { loops: &loops }, [0; 2]);
        assert_eq!(nest.count(0, &mut at), 1 << 33);
        nest.point((1 << 33) - 1, &mut at);
        assert_eq!(at, [max, 1]);
    }
}
