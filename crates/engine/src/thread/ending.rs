//! The end of the workers, as tools see it.
//!
//! Workers live as long as the process; nothing joins them. A tool is owed their thread-end events
//! all the same, on the threads themselves and before its finalizer. So at the end of the runtime every
//! worker that waits for an order is woken to say farewell, and goes on waiting: what a program's late
//! destructors may still ask of it, it does, unobserved.

use super::record::Thread;
use super::registry;
use core::sync::atomic::{AtomicBool, Ordering, fence};
use omphalos_events::{Event, Kind, State, ThreadKind, dispatch, wants};
use std::time::{Duration, Instant};

/// Set once, at the end. Written by [`tell_workers`], read by idle workers.
static ENDING: AtomicBool = AtomicBool::new(false);

/// How long the end waits for workers that are on their way to their gate: one that sits in a region
/// which `exit` cut short never comes.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long it waits for workers that are at their gate or must come there, because no region is
/// under way: on a crowded machine they come late.
const LONG_PATIENCE: Duration = Duration::from_secs(2);

/// Whether idle workers are to say farewell.
#[inline(always)]
pub fn ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// The calling worker's last event.
#[cold]
pub fn say_farewell(thread: &'static Thread) {
    // One that is dismissed while the runtime ends comes here twice.
    if thread.said_farewell.load(Ordering::Relaxed) {
        return;
    }
    if wants(Kind::ThreadEnd) {
        dispatch(&Event::ThreadEnd { thread: &thread.identity, kind: thread.kind.get() });
    }
    // Pairs with the wait in `tell_workers`: the last callbacks come before the finalizer.
    thread.said_farewell.store(true, Ordering::Release);
}

/// Has every idle worker say farewell, if a tool wants to hear it, and waits for them.
pub(crate) fn tell_workers() {
    if !wants(Kind::ThreadEnd) {
        return;
    }
    let workers = registry::with(|lists| {
        let is_worker = |t: &&&Thread| t.kind.get() == ThreadKind::Worker;
        lists.all.iter().filter(is_worker).copied().collect::<Vec<_>>()
    });
    ENDING.store(true, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    for worker in &workers {
        worker.line.gate.wake();
    }
    // Only a region that is under way can keep a worker, and only its own members know of it.
    let is_root = |t: &Thread| t.kind.get() != ThreadKind::Worker;
    let roots = registry::with(|lists| lists.all.iter().filter(|t| is_root(t)).count());
    let outside = Thread::known().is_some_and(|t| is_root(t) && t.team().level.get() == 0);
    let all_come = outside && roots == 1;
    let start = Instant::now();
    loop {
        let said = workers.iter().filter(|w| w.said_farewell.load(Ordering::Acquire)).count();
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
