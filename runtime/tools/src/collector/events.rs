//! Translates the engine's events into the callbacks of the Collector API.
//!
//! A callback gets only the event's number. It asks for more with STATE and CURRENT_PRID. The
//! engine enters a region after FORK; so while FORK is told, the thread's notes name the region. At
//! JOIN the thread has left the region, and at BEGIN_IDLE it is in none. At both, TAU stops the
//! timers that it named for the region, as it could with OpenUH's runtime, which still named the
//! region there. So for that client (`session::is_tau`) the notes name the region at both too. The
//! end of a wait for a mutex is told only if its begin was. A callback's own calls cause no events:
//! TAU's callbacks take OpenMP locks, and would be told of their own waits.

use super::requests::{current_region, id_of};
use super::session::{callback, is_tau};
use core::sync::atomic::Ordering;
use omphalos_abi::collector::{self as abi, *};
use omphalos_events::{
    Endpoint, Event, Identity, Kind, MutexKind, Notes, SyncKind, WorkKind, inquiry,
};

/// Returns the kinds of the engine's events from which an event of the API comes.
pub fn kinds_of(event: abi::Event) -> u64 {
    match event {
        OMP_EVENT_FORK => Kind::ParallelBegin.bit(),
        OMP_EVENT_JOIN => Kind::ParallelEnd.bit(),
        OMP_EVENT_THR_BEGIN_IDLE | OMP_EVENT_THR_END_IDLE => Kind::Idle.bit(),
        OMP_EVENT_THR_BEGIN_IBAR..=OMP_EVENT_THR_END_EBAR => {
            Kind::SyncWait.bit() | Kind::WaitBreak.bit()
        }
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

/// The value of [`Notes::telling`] while a callback is executed.
const TELLING: u64 = 1;
/// The value of [`Notes::telling`] while the callback of JOIN is executed.
const TELLING_JOIN: u64 = 2;

/// Tells an event of the engine's to the client: the subscriber function.
pub fn tell_event(_slot: usize, event: &Event<'_>) {
    let Some(notes) = notes() else { return };
    if notes.telling.load(Ordering::Relaxed) == 0 {
        notes.telling.store(TELLING, Ordering::Relaxed);
        translate(notes, event);
        notes.telling.store(0, Ordering::Relaxed);
    }
}

fn translate(notes: &Notes, event: &Event<'_>) {
    match *event {
        Event::ParallelBegin { region, .. } => tell_of(notes, region, OMP_EVENT_FORK),
        Event::ParallelEnd { region, .. } if is_tau() => tell_of(notes, region, OMP_EVENT_JOIN),
        Event::ParallelEnd { .. } => {
            notes.telling.store(TELLING_JOIN, Ordering::Relaxed);
            call_back(OMP_EVENT_JOIN);
        }
        Event::Idle { endpoint, .. } => idle(notes, endpoint),
        Event::SyncWait { kind, endpoint, .. } => barrier(kind, endpoint),
        // While a thread executes a task inside a barrier, its state is not the barrier's.
        Event::WaitBreak { kind, endpoint, .. } => barrier(kind, endpoint.other()),
        Event::MutexWait { kind, .. } => {
            let begin = wait_of(kind);
            notes.waiting.store(begin as u64, Ordering::Relaxed);
            call_back(begin);
        }
        Event::MutexAcquired { kind, .. } => {
            if notes.waiting.load(Ordering::Relaxed) == wait_of(kind) as u64 {
                notes.waiting.store(0, Ordering::Relaxed);
                call_back(wait_of(kind) + 1);
            }
            if kind == MutexKind::Ordered {
                call_back(OMP_EVENT_THR_BEGIN_ORDERED);
            }
        }
        Event::MutexReleased { kind: MutexKind::Ordered, .. } => {
            call_back(OMP_EVENT_THR_END_ORDERED)
        }
        Event::Masked { endpoint, .. } => call_back(OMP_EVENT_THR_BEGIN_MASTER + after(endpoint)),
        Event::Work { kind: WorkKind::SingleExecutor, endpoint, .. } => {
            call_back(OMP_EVENT_THR_BEGIN_SINGLE + after(endpoint));
        }
        _ => {}
    }
}

/// Tells that the thread enters or leaves the state of a barrier of this kind.
fn barrier(kind: SyncKind, endpoint: Endpoint) {
    let begin = match kind {
        SyncKind::BarrierExplicit => OMP_EVENT_THR_BEGIN_EBAR,
        SyncKind::BarrierImplementation
        | SyncKind::BarrierImplicitWorkshare
        | SyncKind::BarrierImplicitParallel
        | SyncKind::BarrierTeams => OMP_EVENT_THR_BEGIN_IBAR,
        SyncKind::Taskwait | SyncKind::Taskgroup | SyncKind::Reduction => return,
    };
    call_back(begin + after(endpoint));
}

fn tell_of(notes: &Notes, region: &Identity, event: abi::Event) {
    notes.named.store(id_of(region), Ordering::Relaxed);
    call_back(event);
    notes.named.store(0, Ordering::Relaxed);
}

/// Whether the thread is being told that its region has ended. It is then back in the code around
/// the region.
pub fn has_joined(notes: &Notes) -> bool {
    notes.telling.load(Ordering::Relaxed) == TELLING_JOIN
}

fn idle(notes: &Notes, endpoint: Endpoint) {
    if endpoint == Endpoint::Begin {
        let left = if is_tau() { notes.serving.load(Ordering::Relaxed) } else { 0 };
        notes.leaving.store(left, Ordering::Relaxed);
        call_back(OMP_EVENT_THR_BEGIN_IDLE);
        notes.leaving.store(0, Ordering::Relaxed);
    } else {
        notes.serving.store(current_region(), Ordering::Relaxed);
        call_back(OMP_EVENT_THR_END_IDLE);
    }
}

/// Returns the event for the begin of the wait for a mutex. The event for its end has the next
/// number.
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

/// Returns what to add to the number of a begin: the end has the next number.
fn after(endpoint: Endpoint) -> abi::Event {
    match endpoint {
        Endpoint::Begin => 0,
        Endpoint::End | Endpoint::BeginEnd => 1,
    }
}

fn notes() -> Option<&'static Notes> {
    inquiry().and_then(|engine| (engine.notes)())
}

fn call_back(event: abi::Event) {
    let address = callback(event);
    if address == 0 {
        return;
    }
    // SAFETY: the client registered this address as a callback.
    let function: Callback = unsafe { core::mem::transmute::<usize, Callback>(address) };
    // SAFETY: as above; the argument is the event's number.
    unsafe { function(event) };
}
