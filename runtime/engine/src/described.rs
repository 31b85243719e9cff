//! The parts of the engine that debuggers may read: the structures (each described beside its
//! definition), the numbers needed to read them, and the address of the first element of each list
//! (docs/debug-state.md).

use crate::records::{
    Line, LoopSpec, Member, Mode, Order, Published, REGION_SHIFT, SITES, Schedule, Shape, Slot,
    Team, Thread, Units, Work, WorkShare,
};
use crate::tasks::described as tasks;
use crate::threads::registry;
use crate::worksharing::{NEST_BITS, NEST_PER_LOOP};
use core::mem::offset_of;
use omphalos_events::request::{REQUEST, REQUEST_BYTES, Request, answer};
use omphalos_events::{
    ATTACHED, DEBUGGERS, Frame, Identity, MASK, SLOT_MASKS, SLOTS, TaskTool, ThreadKind,
};
use omphalos_layout::{Described, Description, Structure, Value};
use omphalos_settings::{self, Icvs, Level, Processors};
use omphalos_sync::{gate::Gate, nest_lock, ranges, word_lock};
use omphalos_sys::tls::Watch;

/// The whole description.
pub const DESCRIPTION: Description = Description {
    structures: &[STRUCTURES, tasks::STRUCTURES],
    values: &[VALUES, tasks::VALUES],
    roots: &[
        "threads", "settings", "tools", "live", "format", "environment", "enable", "mask",
        "request",
    ],
};

/// The number of roots.
pub const ROOTS: usize = DESCRIPTION.roots.len();

unsafe extern "C" {
    /// The process's environment, a variable of the C library.
    static environ: *const *const core::ffi::c_char;
}

/// Returns the addresses of the roots, in the order of their names.
pub const fn roots() -> [*const (); ROOTS] {
    [
        (&raw const registry::NEWEST).cast(),
        (&raw const omphalos_settings::CURRENT).cast(),
        (&raw const SLOT_MASKS).cast(),
        (&raw const registry::LIVE).cast(),
        (&raw const omphalos_settings::affinity_format::SHOWN).cast(),
        (&raw const environ).cast(),
        (&raw const crate::enable::omphalos_enable).cast(),
        (&raw const MASK).cast(),
        (&raw const REQUEST).cast(),
    ]
}

const STRUCTURES: &[Structure] = &[
    Thread::STRUCTURE,
    Line::STRUCTURE,
    Order::STRUCTURE,
    Work::STRUCTURE,
    Gate::STRUCTURE,
    Team::STRUCTURE,
    Slot::STRUCTURE,
    Published::STRUCTURE,
    Member::STRUCTURE,
    LoopSpec::STRUCTURE,
    Units::STRUCTURE,
    WorkShare::STRUCTURE,
    Identity::STRUCTURE,
    Frame::STRUCTURE,
    TaskTool::STRUCTURE,
    Icvs::STRUCTURE,
    Level::STRUCTURE,
    omphalos_settings::Settings::STRUCTURE,
    omphalos_settings::Shown::STRUCTURE,
    Processors::STRUCTURE,
];

const VALUES: &[Value] = &[
    Value::new("OpenMP.VERSION", 202_111),
    Value::new("ThreadKind.INITIAL", ThreadKind::Initial as u64),
    Value::new("ThreadKind.WORKER", ThreadKind::Worker as u64),
    Value::new("ThreadKind.OTHER", ThreadKind::Other as u64),
    Value::new("ThreadKind.UNKNOWN", ThreadKind::Unknown as u64),
    Value::new("State.SHOWN", 0xffff),
    Value::new("Identity.SLOTS", SLOTS as u64),
    Value::new("Identity.INITIAL_REGION", Identity::INITIAL_REGION),
    Value::new("Tools.ATTACHED", ATTACHED),
    Value::new("Tools.DEBUGGERS", DEBUGGERS as u64),
    Value::new("Request.BYTES", REQUEST_BYTES as u64),
    Value::new("Request.text", Request::TEXT as u64),
    Value::new("Request.check", offset_of!(Request, check) as u64),
    Value::new("Request.until", offset_of!(Request, until) as u64),
    Value::new("Request.length", offset_of!(Request, length) as u64),
    Value::new("Request.over", offset_of!(Request, over) as u64),
    Value::new("Request.beat", offset_of!(Request, beat) as u64),
    Value::new("Request.answered", offset_of!(Request, answered) as u64),
    Value::new("Request.answer", offset_of!(Request, answer) as u64),
    Value::new("Request.AWAITS", answer::AWAITS as u64),
    Value::new("Request.RECORDS", answer::RECORDS as u64),
    Value::new("Request.OVER", answer::OVER as u64),
    Value::new("Request.REFUSED", answer::REFUSED as u64),
    Value::new("Request.FULL", answer::FULL as u64),
    Value::new("Watch.unwatched", offset_of!(Watch, unwatched) as u64),
    Value::new("Team.REGION_SHIFT", REGION_SHIFT as u64),
    Value::new("Slot.SITES", SITES as u64),
    Value::new("Team.FLAT", Shape::Flat as u64),
    Value::new("Team.league.1", offset_of!((u32, u32), 1) as u64),
    Value::new("Thread.teams.1", offset_of!((*const *mut Team, usize), 1) as u64),
    Value::new("Slot.partition.1", offset_of!((i32, i32), 1) as u64),
    Value::new("Member.current.1", offset_of!((u64, u64), 1) as u64),
    Value::new("Member.RANGES", Mode::Ranges as u64),
    Value::new("Member.OVER", Mode::Over as u64),
    Value::new("LoopSpec.STATIC", Schedule::Static as u64),
    Value::new("LoopSpec.DYNAMIC", Schedule::Dynamic as u64),
    Value::new("LoopSpec.GUIDED", Schedule::Guided as u64),
    Value::new("Parts.FLAGS", ranges::FLAGS as u64),
    Value::new("Nest.PER_LOOP", NEST_PER_LOOP as u64),
    Value::new("Nest.BITS", NEST_BITS),
    Value::new("Lock.OWNER_SHIFT", word_lock::OWNER_SHIFT as u64),
    Value::new("Lock.UNNAMED", word_lock::UNNAMED as u64),
    Value::new("NestLock.OWNER_SHIFT", nest_lock::OWNER_SHIFT as u64),
    Value::new("NestLock.OWNER_UNIT", nest_lock::OWNER_UNIT as u64),
];
