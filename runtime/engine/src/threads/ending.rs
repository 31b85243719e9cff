//! Tells tools of the end of the workers.
//!
//! Workers live as long as a thread of the program (`reserve.rs`), most often as long as the
//! process, and no thread joins them. But a tool has to be told of their end, on the workers
//! themselves and before its finalizer. So when the runtime ends, or a tool goes earlier, every
//! worker that waits for an order is woken and says farewell. Then it goes on waiting. If the
//! program hires it again, it works, and the tools to which it has said farewell are told nothing.

use super::registry;
use crate::records::Thread;
use core::sync::atomic::{AtomicU8, Ordering, fence};
use omphalos_events::{
    Endpoint, Event, Kind, SLOTS, State, ThreadKind, dispatch_to, mask_of, wants,
};
use std::time::{Duration, Instant};

/// The tools that are about to go, one bit for each slot; at the end of the runtime, all.
/// [`tell_workers`] writes it, idle workers read it.
static LEAVING: AtomicU8 = AtomicU8::new(0);
/// All tools.
pub const ALL: u8 = u8::MAX;

/// The slots of tools that have to be told the end of everything that began. The slot of a client
/// of the Collector API is not among them: its interface has no end of a thread, and TAU takes a
/// worker that stops idling for one that works.
const TOOLS: u8 = (1 << SLOTS) - 1;

/// The time for which the end waits for workers that are on their way to their gate. A worker in a
/// region that `exit` cut short never comes.
const PATIENCE: Duration = Duration::from_millis(50);
/// The time for which the end waits for workers that are at their gate or must come there, because
/// no region is under way. On a crowded machine they come late.
const LONG_PATIENCE: Duration = Duration::from_secs(2);

/// Whether the calling worker is to say farewell.
#[inline(always)]
pub fn owes_farewell(thread: &Thread) -> bool {
    let said = thread.farewells.load(Ordering::Relaxed);
    LEAVING.load(Ordering::SeqCst) & !said != 0
}

/// Tells the calling worker's last events to the tools that go: its idle time ends, and it ends. In
/// fact the worker goes on waiting for an order.
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

/// Tells these tools that the calling worker ends. A worker that is dismissed while the runtime
/// ends calls this twice, and tells it once.
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

/// Called when a tool goes while the program goes on. Idle workers say farewell to it if no region
/// can be under way: the calling thread is the only one of the program's that OpenMP knows, and it
/// is in the program's own code.
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

/// Makes every idle worker say farewell to these tools, if they want to be told, and waits for the
/// workers.
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
    // Only a region under way can keep a worker, and only the region's own members know of it.
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
        omphalos_sys::thread::rest(Duration::from_micros(20));
    }
}
