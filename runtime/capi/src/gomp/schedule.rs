//! Turns GCC's loop arguments into the engine's loops.
//!
//! A thread's chunks always rise here, also where a name says "nonmonotonic". GCC writes that name
//! for a plain `schedule(dynamic)`, and every runtime for its programs hands the chunks out in
//! their order. Programs rely on it: one sizes a buffer by a thread's first iteration, the longest.

use crate::shared::schedule::{Kind, Resolved, resolve};
use omphalos_engine::Thread;
use omphalos_engine::worksharing::{Chunk, LoopSpec};

/// Returns the loop over `trip` iterations from `start` in steps of `step`.
fn spec(how: Resolved, ordered: bool, trip: u64, start: u64, step: u64) -> LoopSpec {
    LoopSpec {
        trip,
        chunk: how.chunk,
        schedule: how.schedule,
        kind: how.kind,
        ordered,
        nonmonotonic: false,
        rounded: false,
        start,
        step,
    }
}

/// Returns the number of iterations over a distance of `span` > 0 with steps of `step` > 0.
#[inline(always)]
fn iterations(span: u64, step: u64) -> u64 {
    if step == 1 { span } else { (span - 1) / step + 1 }
}

/// Returns a loop over `long`.
pub fn signed(
    thread: &Thread,
    (start, end, incr): (i64, i64, i64),
    kind: Kind,
    chunk: i64,
    ordered: bool,
) -> LoopSpec {
    let how = resolve(thread, kind, chunk.max(0) as u64);
    let trip = if incr > 0 && start < end {
        iterations((end as u64).wrapping_sub(start as u64), incr as u64)
    } else if incr < 0 && start > end {
        iterations((start as u64).wrapping_sub(end as u64), incr.unsigned_abs())
    } else {
        0
    };
    spec(how, ordered, trip, start as u64, incr as u64)
}

/// Returns a loop over `unsigned long long`; `incr` is two's complement when the loop runs down.
pub fn unsigned(
    thread: &Thread,
    up: bool,
    (start, end, incr): (u64, u64, u64),
    kind: Kind,
    chunk: u64,
    ordered: bool,
) -> LoopSpec {
    let how = resolve(thread, kind, chunk);
    let trip = if up && start < end && incr != 0 {
        iterations(end - start, incr)
    } else if !up && start > end && incr != 0 {
        iterations(start - end, incr.wrapping_neg())
    } else {
        0
    };
    spec(how, ordered, trip, start, incr)
}

/// Returns the first value of a chunk, and the bound behind its last value, as GCC's code wants
/// them. The bound is next to the last value; one whole step further could leave the type.
#[inline(always)]
pub fn bounds(spec: &LoopSpec, chunk: &Chunk) -> (u64, u64) {
    if spec.step == 1 {
        // No products: the next chunk waits for the instructions after the one that took this
        // chunk.
        let first = spec.start.wrapping_add(chunk.first);
        return (first, first.wrapping_add(chunk.count));
    }
    let first = spec.value(chunk.first);
    let last = first.wrapping_add((chunk.count - 1).wrapping_mul(spec.step));
    let behind = if (spec.step as i64) < 0 { last.wrapping_sub(1) } else { last.wrapping_add(1) };
    (first, behind)
}
