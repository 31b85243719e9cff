//! From the engine's events to the callbacks of the Collector API.
//!
//! A callback gets the event's number and nothing else: what it wants to know it asks with STATE and
//! CURRENT_PRID. So while FORK is told, the thread's notes name the new region, which the engine
//! itself enters only afterwards; and the end of a mutex wait is told only if its begin was.

use super::session::callback;
use core::sync::atomic::Ordering;
use omphalos_abi::collector::{self as abi, *};
use omphalos_events::{Endpoint, Event, Kind, MutexKind, Notes, SyncKind, WorkKind, inquiry};

/// The kinds of the engine's events that an event of the API comes from.
pub fn kinds_of(event: abi::Event) -> u64 {
    match event {
        OMP_EVENT_FORK => Kind::ParallelBegin.bit(),
        OMP_EVENT_JOIN => Kind::ParallelEnd.bit(),
        OMP_EVENT_THR_BEGIN_IDLE | OMP_EVENT_THR_END_IDLE => Kind::Idle.bit(),
        OMP_EVENT_THR_BEGIN_IBAR..=OMP_EVENT_THR_END_EBAR => Kind::SyncWait.bit(),
        OMP_EVENT_THR_BEGIN_LKWT..=OMP_EVENT_THR_END_ODWT
        | OMP_EVENT_THR_BEGIN_ATWT
        | OMP_EVENT_THR_END_ATWT => Kind::MutexWait.bit() | Kind::MutexAcquired.bit(),
        OMP_EVENT_THR_BEGIN_MASTER | OMP_EVENT_THR_END_MASTER => Kind::Masked.bit(),
        OMP_EVENT_THR_BEGIN_SINGLE | OMP_EVENT_THR_END_SINGLE => Kind::Work.bit(),
        OMP_EVENT_THR_BEGIN_ORDERED => Kind::MutexAcquired.bit(),
        OMP_EVENT_THR_END_ORDERED => Kind::MutexReleased.bit(),
        _ => 0,
    }
}

/// The subscriber function.
pub fn notify(_slot: usize, event: &Event<'_>) {
    match *event {
        Event::ParallelBegin { region, .. } => {
            let Some(notes) = notes() else { return };
            notes.forking.store(region.region_id(), Ordering::Relaxed);
            tell(OMP_EVENT_FORK);
            notes.forking.store(0, Ordering::Relaxed);
        }
        Event::ParallelEnd { .. } => tell(OMP_EVENT_JOIN),
        Event::Idle { endpoint, .. } => tell(OMP_EVENT_THR_BEGIN_IDLE + after(endpoint)),
        Event::SyncWait { kind, endpoint, .. } => {
            let begin = match kind {
                SyncKind::BarrierExplicit => OMP_EVENT_THR_BEGIN_EBAR,
                SyncKind::BarrierImplementation
                | SyncKind::BarrierImplicitWorkshare
                | SyncKind::BarrierImplicitParallel
                | SyncKind::BarrierTeams => OMP_EVENT_THR_BEGIN_IBAR,
                SyncKind::Taskwait | SyncKind::Taskgroup | SyncKind::Reduction => return,
            };
            tell(begin + after(endpoint));
        }
        Event::MutexWait { kind, .. } => {
            let begin = wait_of(kind);
            if let Some(notes) = notes() {
                notes.waiting.store(begin as u64, Ordering::Relaxed);
                tell(begin);
            }
        }
        Event::MutexAcquired { kind, .. } => {
            if let Some(notes) = notes()
                && notes.waiting.load(Ordering::Relaxed) == wait_of(kind) as u64
            {
                notes.waiting.store(0, Ordering::Relaxed);
                tell(wait_of(kind) + 1);
            }
            if kind == MutexKind::Ordered {
                tell(OMP_EVENT_THR_BEGIN_ORDERED);
            }
        }
        Event::MutexReleased { kind: MutexKind::Ordered, .. } => tell(OMP_EVENT_THR_END_ORDERED),
        Event::Masked { endpoint, .. } => tell(OMP_EVENT_THR_BEGIN_MASTER + after(endpoint)),
        Event::Work { kind: WorkKind::SingleExecutor, endpoint, .. } => {
            tell(OMP_EVENT_THR_BEGIN_SINGLE + after(endpoint));
        }
        _ => {}
    }
}

/// The begin of the wait for a mutex; its end is the number after.
fn wait_of(kind: MutexKind) -> abi::Event {
    match kind {
        MutexKind::Lock | MutexKind::TestLock | MutexKind::NestLock | MutexKind::TestNestLock => {
            OMP_EVENT_THR_BEGIN_LKWT
        }
        MutexKind::Critical => OMP_EVENT_THR_BEGIN_CTWT,
        MutexKind::Atomic => OMP_EVENT_THR_BEGIN_ATWT,
        MutexKind::Ordered => OMP_EVENT_THR_BEGIN_ODWT,
    }
}

/// An end's number is its begin's plus one.
fn after(endpoint: Endpoint) -> abi::Event {
    match endpoint {
        Endpoint::Begin => 0,
        Endpoint::End | Endpoint::BeginEnd => 1,
    }
}

fn notes() -> Option<&'static Notes> {
    inquiry().and_then(|engine| (engine.notes)())
}

fn tell(event: abi::Event) {
    let address = callback(event);
    if address == 0 {
        return;
    }
    // SAFETY: the client registered this address as a callback.
    let function: Callback = unsafe { core::mem::transmute::<usize, Callback>(address) };
    // SAFETY: as above; the argument is the event's number.
    unsafe { function(event) };
}
