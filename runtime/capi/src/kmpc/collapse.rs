//! `__kmpc_for_collapsed_init` and the rectangular pair: collapsed loop nests whose inner bounds
//! may depend on an outer loop's variable. The engine counts them and deals them out
//! (`worksharing/nest.rs`).

use crate::shared::location::Ident;
use omphalos_engine::worksharing::{Level, LoopSpec, Nest, Number, hooks, static_share};
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

/// Returns the type that LLVM's number means.
fn number(kind: i32) -> Number {
    let bits = match kind {
        0 | 1 => 8,
        2 | 3 => 16,
        4 | 5 => 32,
        _ => 64,
    };
    Number { bits, signed: kind % 2 != 0 }
}

impl Loop {
    /// Turns `<` and `!=` into `<=` or `>=`.
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
        self.upper0 = self.number().fit(behind);
    }
}

/// A loop that is canonical.
impl Level for Loop {
    fn number(&self) -> Number {
        number(self.kind)
    }
    fn variable(&self) -> Number {
        number(self.variable)
    }
    fn is_up(&self) -> bool {
        self.comparison == LESS_OR_EQUAL
    }
    fn outer(&self) -> Option<usize> {
        usize::try_from(self.outer).ok()
    }
    fn lower(&self) -> (u64, u64) {
        (self.lower0, self.lower1)
    }
    fn upper(&self) -> (u64, u64) {
        (self.upper0, self.upper1)
    }
    fn step(&self) -> i64 {
        if self.kind < 6 { i64::from(self.step as i32) } else { self.step }
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

/// Makes a rectangular nest canonical, notes each loop's number of iterations, and returns their
/// product.
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
        let (lower, upper) = (this.number().fit(this.lower0), this.number().fit(this.upper0));
        this.trip = this.trips(lower, upper);
        total.wrapping_mul(this.trip)
    })
}

/// Writes the variables of a rectangular nest in iteration `number` of all.
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
    thread.note_static(spec.kind, trip);
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

    #[test]
    fn loops_become_canonical() {
        let of = |comparison, step| Loop {
            kind: 5,
            variable: 5,
            comparison,
            outer: 0,
            lower0: 0,
            lower1: 0,
            upper0: 8,
            upper1: 0,
            step,
            trip: 0,
        };
        let cases =
            [(LESS, 1, 0, 7), (LESS + 1, -1, 1, 9), (NOT_EQUAL, 1, 0, 7), (NOT_EQUAL, -1, 1, 9)];
        for (comparison, step, becomes, upper) in cases {
            let mut this = of(comparison, step);
            this.canonical();
            assert_eq!((this.comparison, this.upper0), (becomes, upper));
        }
        let mut this = of(LESS_OR_EQUAL, 1);
        this.canonical();
        assert_eq!((this.comparison, this.upper0), (LESS_OR_EQUAL, 8));
    }
}
