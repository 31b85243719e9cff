//! The schedules that entry points name, as the engine knows them.

use omphalos_engine::Thread;
use omphalos_engine::worksharing::Schedule;
use omphalos_events::WorkKind;
use omphalos_settings::RunSched;

/// The schedule that an entry point names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Static,
    Dynamic,
    Guided,
    /// As run-sched-var says.
    Runtime,
}

/// A schedule as the engine knows it.
#[derive(Clone, Copy)]
pub struct Resolved {
    pub schedule: Schedule,
    pub chunk: u64,
    pub kind: WorkKind,
}

impl Resolved {
    /// Makes a schedule of these parts.
    pub const fn new(schedule: Schedule, chunk: u64, kind: WorkKind) -> Resolved {
        Resolved { schedule, chunk, kind }
    }
}

/// Returns the schedule and chunk size of a loop: its own, or run-sched-var's.
pub fn resolve(thread: &Thread, kind: Kind, chunk: u64) -> Resolved {
    let new = Resolved::new;
    match kind {
        Kind::Static => new(Schedule::Static, chunk, WorkKind::LoopStatic),
        Kind::Dynamic => new(Schedule::Dynamic, chunk, WorkKind::LoopDynamic),
        Kind::Guided => new(Schedule::Guided, chunk, WorkKind::LoopGuided),
        Kind::Runtime => {
            let (schedule, chunk) = thread.task().icvs().schedule;
            let chunk = u64::from(chunk);
            match RunSched::of(schedule).unwrap_or(RunSched::Static) {
                RunSched::Static => new(Schedule::Static, chunk, WorkKind::LoopStatic),
                RunSched::Dynamic => new(Schedule::Dynamic, chunk.max(1), WorkKind::LoopDynamic),
                RunSched::Guided | RunSched::Trapezoidal => {
                    new(Schedule::Guided, chunk.max(1), WorkKind::LoopGuided)
                }
                RunSched::Auto => new(Schedule::Static, 0, WorkKind::LoopOther),
            }
        }
    }
}
