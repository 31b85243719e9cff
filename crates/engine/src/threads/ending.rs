//! The end of the workers, as tools see it.
//!
//! Workers live as long as a thread of the program (`reserve.rs`), most often as long as the
//! process; nothing joins them. A tool is owed their thread-end events all the same, on the threads
//! themselves and before its finalizer. So at the end of the runtime, and when a tool goes before,
//! every worker that waits for an order is woken to say farewell, and goes on waiting: what the
//! program may still ask of it, it does, unwatched by whoever it bade farewell.

use super::registry;
use crate::records::Thread;
use core::sync::atomic::{AtomicU8, Ordering, fence};
use omphalos_events::{
    Endpoint, Event, Kind, SLOTS, State, ThreadKind, dispatch_to, mask_of, wants,
};
use std::time::{Duration, Instant};

/// Who goes, as bits: tools by their slots, all at the end. Written by [`tell_workers`], read by
/// idle workers.
static LEAVING: AtomicU8 = AtomicU8::new(0);
/// Everybody.
pub const ALL: u8 = u8::MAX;

/// Of these the tools, which hear of the end of all that began. A client of the Collector API does
/// not: no thread ends for it, and TAU takes a worker that idles no more for one that works.
const TOOLS: u8 = (1 << SLOTS) - 1;

/// How long the end waits for workers that are on their way to their gate: one that sits in a
/// region which `exit` cut short never comes.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long it waits for workers that are at their gate or must come there, because no region is
/// under way: on a crowded machine they come late.
const LONG_PATIENCE: Duration = Duration::from_secs(2);

/// Whether the calling worker is to say farewell.
#[inline(always)]
pub fn owes_farewell(thread: &Thread) -> bool {
    let said = thread.farewells.load(Ordering::Relaxed);
    LEAVING.load(Ordering::SeqCst) & !said != 0
}

/// The calling worker's last events, for those who go. It waits for an order: to them it idles no
/// more.
#[cold]
pub fn say_farewell(thread: &'static Thread) {
    let leaving = LEAVING.load(Ordering::SeqCst);
    let owed = leaving & !thread.farewells.load(Ordering::Relaxed) & TOOLS;
    if thread.state().0 == State::IDLE && owed != 0 && wants(Kind::Idle) {
        let (thread, endpoint) = (&thread.identity, Endpoint::End);
        dispatch_to(owed, &Event::Idle { thread, endpoint });
    }
    say_farewell_to(thread, leaving);
}

/// The calling worker's very last event, for these. One that is dismissed while the runtime ends
/// comes here twice: it says it once.
#[cold]
pub fn say_farewell_to(thread: &'static Thread, leaving: u8) {
    let said = thread.farewells.load(Ordering::Relaxed);
    let owed = leaving & !said;
    if owed != 0 && wants(Kind::ThreadEnd) {
        let event = Event::ThreadEnd { thread: &thread.identity, kind: thread.kind.get() };
        dispatch_to(owed, &event);
    }
    // Pairs with the wait in `tell_workers`: the last callbacks come before the finalizer.
    thread.farewells.store(said | owed, Ordering::Release);
}

/// A tool goes while the program goes on. Idle workers bid it farewell if no region can be under
/// way: the calling thread is the only one that the program made, and in the program's own code.
pub(crate) fn tool_leaves(slot: usize) {
    let in_program = |thread: &&Thread| {
        is_root(thread)
            && thread.team().level.get() == 0
            && thread.state().0 == State::WORK_SERIAL
            && thread.task().tool.frame.enter.load(Ordering::Relaxed) == 0
    };
    if Thread::known().as_ref().is_some_and(in_program) && roots() == 1 {
        tell_workers(1 << slot);
    }
}

/// Whether a thread is one of the program's, not a worker.
fn is_root(thread: &Thread) -> bool {
    !matches!(thread.kind.get(), ThreadKind::Worker | ThreadKind::Unknown)
}

fn roots() -> usize {
    registry::with(|lists| lists.all.iter().filter(|thread| is_root(thread)).count())
}

/// Has every idle worker say farewell to these, if a tool wants to hear it, and waits for them.
pub(crate) fn tell_workers(leaving: u8) {
    let last = Kind::ThreadEnd.bit() | Kind::Idle.bit();
    if (0..SLOTS).all(|slot| mask_of(slot) & last == 0) {
        return;
    }
    let workers = registry::with(|lists| {
        let is_worker = |t: &&&Thread| t.kind.get() == ThreadKind::Worker;
        lists.all.iter().filter(is_worker).copied().collect::<Vec<_>>()
    });
    LEAVING.fetch_or(leaving, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    for worker in &workers {
        worker.line.gate.wake();
    }
    // Only a region that is under way can keep a worker, and only its own members know of it.
    let outside = Thread::known().is_some_and(|t| is_root(t) && t.team().level.get() == 0);
    let all_come = outside && roots() == 1;
    let start = Instant::now();
    loop {
        let said_it = |w: &&&Thread| leaving & !w.farewells.load(Ordering::Acquire) == 0;
        let said = workers.iter().filter(said_it).count();
        let at_gates = || workers.iter().filter(|w| w.state().0 == State::IDLE).count();
        let waited = start.elapsed();
        let enough = said >= workers.len()
            || waited > LONG_PATIENCE
            || waited > PATIENCE && !all_come && said >= at_gates();
        if enough {
            return;
        }
        std::thread::sleep(Duration::from_micros(20));
    }
}
