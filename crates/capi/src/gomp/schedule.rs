//! From GCC's loop arguments to the engine's loops.

use omphalos_engine::Thread;
use omphalos_engine::worksharing::{Chunk, LoopSpec, Schedule};
use omphalos_events::WorkKind;

/// The schedule that an entry point stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Static,
    Dynamic,
    Guided,
    Runtime,
}

/// The schedule and chunk size of a loop: its own, or run-sched-var's.
pub fn resolve(thread: &Thread, kind: Kind, chunk: u64) -> (Schedule, u64, WorkKind) {
    match kind {
        Kind::Static => (Schedule::Static, chunk, WorkKind::LoopStatic),
        Kind::Dynamic => (Schedule::Dynamic, chunk, WorkKind::LoopDynamic),
        Kind::Guided => (Schedule::Guided, chunk, WorkKind::LoopGuided),
        Kind::Runtime => {
            let (schedule, chunk) = thread.task().icvs().schedule;
            let chunk = u64::from(chunk);
            // `omp_sched_t` without the monotonic bit: static 1, dynamic 2, guided 3, auto 4.
            match schedule & 0x7fff_ffff {
                2 => (Schedule::Dynamic, chunk.max(1), WorkKind::LoopDynamic),
                3 => (Schedule::Guided, chunk.max(1), WorkKind::LoopGuided),
                4 => (Schedule::Static, 0, WorkKind::LoopOther),
                _ => (Schedule::Static, chunk, WorkKind::LoopStatic),
            }
        }
    }
}

/// A loop over `long`.
pub fn signed(
    thread: &Thread,
    (start, end, incr): (i64, i64, i64),
    kind: Kind,
    chunk: i64,
    ordered: bool,
) -> LoopSpec {
    let (schedule, chunk, kind) = resolve(thread, kind, chunk.max(0) as u64);
    let trip = if incr > 0 && start < end {
        ((end as u64).wrapping_sub(start as u64) - 1) / incr as u64 + 1
    } else if incr < 0 && start > end {
        ((start as u64).wrapping_sub(end as u64) - 1) / incr.unsigned_abs() + 1
    } else {
        0
    };
    LoopSpec { trip, chunk, schedule, kind, ordered, start: start as u64, step: incr as u64 }
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
    let (schedule, chunk, kind) = resolve(thread, kind, chunk);
    let trip = if up && start < end && incr != 0 {
        (end - start - 1) / incr + 1
    } else if !up && start > end && incr != 0 {
        (start - end - 1) / incr.wrapping_neg() + 1
    } else {
        0
    };
    LoopSpec { trip, chunk, schedule, kind, ordered, start, step: incr }
}

/// First value of a chunk and the bound behind its last value, as GCC's code wants them. The bound
/// is next to the last value, not a whole step away: a whole step could leave the type.
#[inline(always)]
pub fn bounds(spec: &LoopSpec, chunk: &Chunk) -> (u64, u64) {
    let last = spec.value(chunk.first + (chunk.count - 1));
    let behind = if (spec.step as i64) < 0 { last.wrapping_sub(1) } else { last.wrapping_add(1) };
    (spec.value(chunk.first), behind)
}
