//! From GCC's loop arguments to the engine's loops.

use omphalos_engine::Thread;
use omphalos_engine::icv::OMP_SCHED_TRAPEZOIDAL;
use omphalos_engine::worksharing::{Chunk, LoopSpec, Schedule};
use omphalos_events::WorkKind;

/// The schedule that an entry point stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Static,
    /// Dynamic, each thread's chunks in ascending order.
    Dynamic,
    /// Dynamic in any order.
    NonmonotonicDynamic,
    Guided,
    /// As run-sched-var says, each thread's chunks in ascending order.
    Runtime,
    /// As run-sched-var says, also about the order.
    AnyRuntime,
}

/// A schedule as the engine knows it.
#[derive(Clone, Copy)]
pub struct Resolved {
    pub schedule: Schedule,
    pub chunk: u64,
    pub kind: WorkKind,
    pub nonmonotonic: bool,
}

impl Resolved {
    /// A schedule without stealing.
    pub const fn new(schedule: Schedule, chunk: u64, kind: WorkKind) -> Resolved {
        Resolved { schedule, chunk, kind, nonmonotonic: false }
    }
}

/// The bit of `omp_sched_t` that demands ascending order.
const MONOTONIC: u32 = 1 << 31;

/// The schedule and chunk size of a loop: its own, or run-sched-var's.
pub fn resolve(thread: &Thread, kind: Kind, chunk: u64) -> Resolved {
    let new = Resolved::new;
    match kind {
        Kind::Static => new(Schedule::Static, chunk, WorkKind::LoopStatic),
        Kind::Dynamic => new(Schedule::Dynamic, chunk, WorkKind::LoopDynamic),
        Kind::NonmonotonicDynamic => {
            Resolved { nonmonotonic: true, ..new(Schedule::Dynamic, chunk, WorkKind::LoopDynamic) }
        }
        Kind::Guided => new(Schedule::Guided, chunk, WorkKind::LoopGuided),
        Kind::Runtime | Kind::AnyRuntime => {
            let (schedule, chunk) = thread.task().icvs().schedule;
            let chunk = u64::from(chunk);
            // `omp_sched_t` without the monotonic bit: static 1, dynamic 2, guided 3, auto 4.
            match schedule & !MONOTONIC {
                2 => Resolved {
                    nonmonotonic: kind == Kind::AnyRuntime && schedule & MONOTONIC == 0,
                    ..new(Schedule::Dynamic, chunk.max(1), WorkKind::LoopDynamic)
                },
                3 | OMP_SCHED_TRAPEZOIDAL => {
                    new(Schedule::Guided, chunk.max(1), WorkKind::LoopGuided)
                }
                4 => new(Schedule::Static, 0, WorkKind::LoopOther),
                _ => new(Schedule::Static, chunk, WorkKind::LoopStatic),
            }
        }
    }
}

/// The loop over `trip` iterations from `start` in steps of `step`.
fn spec(how: Resolved, ordered: bool, trip: u64, start: u64, step: u64) -> LoopSpec {
    LoopSpec {
        trip,
        chunk: how.chunk,
        schedule: how.schedule,
        kind: how.kind,
        ordered,
        nonmonotonic: how.nonmonotonic && !ordered,
        rounded: false,
        start,
        step,
    }
}

/// Iterations over a distance of `span` > 0 in steps of `step` > 0.
#[inline(always)]
fn iterations(span: u64, step: u64) -> u64 {
    if step == 1 { span } else { (span - 1) / step + 1 }
}

/// A loop over `long`.
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

/// A loop over `unsigned long long`; `incr` is two's complement when the loop runs down.
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

/// First value of a chunk and the bound behind its last value, as GCC's code wants them. The bound
/// is next to the last value, not a whole step away: a whole step could leave the type.
#[inline(always)]
pub fn bounds(spec: &LoopSpec, chunk: &Chunk) -> (u64, u64) {
    let first = spec.value(chunk.first);
    let last = first.wrapping_add((chunk.count - 1).wrapping_mul(spec.step));
    let behind = if (spec.step as i64) < 0 { last.wrapping_sub(1) } else { last.wrapping_add(1) };
    (first, behind)
}
