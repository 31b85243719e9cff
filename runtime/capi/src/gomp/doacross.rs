//! Dependences between iterations in GCC's interface.
//!
//! GCC numbers the iterations of each loop from 0. It divides only the outermost loop among the
//! threads. Its code never waits for an iteration outside the nest. The loop ends as every
//! loop does (`GOMP_loop_end`).

use super::schedule::{bounds, unsigned};
use crate::shared::schedule::Kind;
use core::ffi::{c_uint, c_void};
use omphalos_engine::worksharing::{
    Dimension, LoopSpec, begin_doacross, doacross_post, doacross_wait, next_chunk,
};
use omphalos_engine::{Caller, Thread, caller};

/// # Safety
/// `counts` has `number` elements; `istart`, `iend` are valid for writes; `memory` is null or
/// valid.
unsafe fn start(
    (number, counts): (c_uint, *const u64),
    (kind, chunk): (Kind, u64),
    (istart, iend): (*mut u64, *mut u64),
    memory: *mut *mut c_void,
    caller: Caller,
) -> bool {
    let thread = Thread::current();
    // SAFETY: the caller's promise.
    let counts = unsafe { core::slice::from_raw_parts(counts, number as usize) };
    let dimensions: Vec<Dimension> = counts
        .iter()
        .map(|&count| Dimension { first: 0, last: count as i64 - 1, step: 1 })
        .collect();
    let trip = counts.first().copied().unwrap_or(0);
    // Iterations wait for earlier ones, so they are handed out in order.
    let spec = LoopSpec {
        nonmonotonic: false,
        ..unsigned(thread, true, (0, trip, 1), kind, chunk, false)
    };
    // SAFETY: the caller's promise.
    let extra = unsafe { memory.as_ref() }.map_or(0, |size| size.addr().max(1));
    let address = begin_doacross(thread, &spec, &dimensions, extra, caller);
    // SAFETY: the caller's promise.
    unsafe {
        if extra != 0 {
            *memory = address.cast();
        }
        let Some((chunk, spec)) = next_chunk(thread, caller) else { return false };
        (*istart, *iend) = bounds(spec, &chunk);
    }
    true
}

macro_rules! starts {
    ($($name:ident => $kind:expr;)*) => { $(
        unsafe extern "C" fn $name(
            number: c_uint, counts: *const u64, chunk: u64, istart: *mut u64, iend: *mut u64,
        ) -> bool {
            let caller = caller();
            let to = (istart, iend);
            // SAFETY: GCC's code keeps to its interface.
            unsafe { start((number, counts), ($kind, chunk), to, core::ptr::null_mut(), caller) }
        }
    )* };
}

starts! {
    start_static => Kind::Static;
    start_dynamic => Kind::Dynamic;
    start_guided => Kind::Guided;
}

unsafe extern "C" fn start_runtime(
    number: c_uint,
    counts: *const u64,
    istart: *mut u64,
    iend: *mut u64,
) -> bool {
    let caller = caller();
    let (nest, to) = ((number, counts), (istart, iend));
    // SAFETY: GCC's code keeps to its interface.
    unsafe { start(nest, (Kind::Runtime, 0), to, core::ptr::null_mut(), caller) }
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn start_any(
    number: c_uint,
    counts: *const u64,
    schedule: i64,
    chunk: u64,
    istart: *mut u64,
    iend: *mut u64,
    reductions: *mut usize,
    memory: *mut *mut c_void,
) -> bool {
    let caller = caller();
    super::loops::begin_reductions(reductions);
    let kind = super::loops::kind_of(schedule);
    // SAFETY: GCC's code keeps to its interface.
    unsafe { start((number, counts), (kind, chunk), (istart, iend), memory, caller) }
}

/// # Safety
/// `counts` has one number for each loop of the current nest.
unsafe extern "C" fn post(counts: *const u64) {
    // SAFETY: the caller's promise.
    doacross_post(Thread::current(), |index, _| unsafe { *counts.add(index) } as i64);
}

/// `first`: the arguments that came in registers; `rest`: those on the stack.
///
/// # Safety
/// Together they hold one number for each loop of the current nest.
unsafe extern "C" fn wait(first: *const u64, rest: *const u64) {
    const REGISTERS: usize = 6;
    let values = |index, count| {
        // SAFETY: the caller's promise.
        let value = unsafe {
            if index < REGISTERS { *first.add(index) } else { *rest.add(index - REGISTERS) }
        };
        wrapped(value, count) as i64
    };
    // SAFETY: the return address of a call lies below the arguments that it passes on the stack.
    doacross_wait(Thread::current(), values, || unsafe { *rest.sub(1) });
}

/// GCC (at least 12) computes a distance in a loop over an unsigned variable of 8, 16 or 32 bits
/// with that width, and adds it to a number of 64 bits. If the distance is negative, the sum is
/// 2^width too large. GCC's code passes only numbers below the count, and such a loop has
/// fewer than 2^width iterations. So this takes the excess off.
fn wrapped(value: u64, count: u64) -> u64 {
    match value {
        _ if value < count => value,
        0..=0xffff => value & 0xff,
        0x1_0000..=0xffff_ffff => value & 0xffff,
        _ => value & 0xffff_ffff,
    }
}

omphalos_sys::variadic_numbers_entry! {
    /// Waits for an iteration of the nest (GOMP_4.5).
    GOMP_doacross_wait => wait;
    /// As `GOMP_doacross_wait`, with unsigned numbers (GOMP_4.5).
    GOMP_doacross_ull_wait => wait;
}

omphalos_sys::entries! {
    /// Begins a nest with `schedule(static)` (GOMP_4.5).
    GOMP_loop_doacross_static_start => start_static;
    /// Begins a nest with `schedule(dynamic)` (GOMP_4.5).
    GOMP_loop_doacross_dynamic_start => start_dynamic;
    /// Begins a nest with `schedule(guided)` (GOMP_4.5).
    GOMP_loop_doacross_guided_start => start_guided;
    /// Begins a nest with `schedule(runtime)` (GOMP_4.5).
    GOMP_loop_doacross_runtime_start => start_runtime;
    /// Begins a nest with any schedule (GOMP_5.0).
    GOMP_loop_doacross_start => start_any;
    /// As `GOMP_loop_doacross_static_start`, unsigned (GOMP_4.5).
    GOMP_loop_ull_doacross_static_start => start_static;
    /// As `GOMP_loop_doacross_dynamic_start`, unsigned (GOMP_4.5).
    GOMP_loop_ull_doacross_dynamic_start => start_dynamic;
    /// As `GOMP_loop_doacross_guided_start`, unsigned (GOMP_4.5).
    GOMP_loop_ull_doacross_guided_start => start_guided;
    /// As `GOMP_loop_doacross_runtime_start`, unsigned (GOMP_4.5).
    GOMP_loop_ull_doacross_runtime_start => start_runtime;
    /// As `GOMP_loop_doacross_start`, unsigned (GOMP_5.0).
    GOMP_loop_ull_doacross_start => start_any;
    /// The iteration with these numbers is done (GOMP_4.5).
    GOMP_doacross_post => post;
    /// As `GOMP_doacross_post`, unsigned (GOMP_4.5).
    GOMP_doacross_ull_post => post;
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn a_distance_of_any_width_comes_out_right() {
        for width in [8, 16, 32] {
            let most = (1 << width) - 1;
            for (count, number) in [(40, 39), (40, 0), (most, most - 1), (most, 0)] {
                assert_eq!(wrapped(number + (1 << width), count), number);
                assert_eq!(wrapped(number, count), number);
            }
        }
        assert_eq!(wrapped(1 << 40, 1 << 41), 1 << 40);
    }
}
