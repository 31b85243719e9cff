//! Asks tools again in a forked child that starts OpenMP again, as in any process (2013, 7.1.1;
//! 2016, Tool Registration).
//!
//! The child starts OpenMP again with the first construct that its tools would be told of. A child
//! that only goes on to `exec` or to its end does not start it. Until then a tool is told nothing,
//! and its inquiries are answered as before the start. A child that was forked inside a region or a
//! task goes on in it: nothing starts there, and its tools go on too. So do tools of 2014, because
//! no text says otherwise.
//!
//! What must hold: until that first event the child has one thread, or its other threads are new
//! and do not wait in [`first_event`]. The thread that changes the tool's phase first asks the
//! tool.

use super::generation::Generation;
use super::start::ask_again;
use super::tell_event;
use super::tool::{Phase, tool};
use crate::slot::clear_words;
use omphalos_events::{
    Endpoint, Event, Kind, SLOTS, TaskFlags, ThreadKind, detach, inquiry, subscribe,
};

/// The kinds of [`begins`].
const BEGINNINGS: u64 = Kind::ThreadBegin.bit()
    | Kind::ParallelBegin.bit()
    | Kind::TaskCreate.bit()
    | Kind::SyncRegion.bit()
    | Kind::Work.bit()
    | Kind::Masked.bit()
    | Kind::LockInit.bit()
    | Kind::MutexAcquire.bit()
    | Kind::Flush.bit()
    | Kind::Control.bit()
    | Kind::Target.bit();

/// Whether a program starts OpenMP with this event.
fn begins(event: &Event<'_>) -> bool {
    match event {
        Event::ThreadBegin { .. }
        | Event::ParallelBegin { .. }
        | Event::TaskCreate { .. }
        | Event::LockInit { .. }
        | Event::MutexAcquire { .. }
        | Event::Flush { .. }
        | Event::Control { .. } => true,
        Event::SyncRegion { endpoint, .. }
        | Event::Work { endpoint, .. }
        | Event::Masked { endpoint, .. }
        | Event::Target { endpoint, .. } => *endpoint == Endpoint::Begin,
        _ => false,
    }
}

/// Makes the tools of a forked child wait for its first event. Called in the child before anything
/// else.
pub fn after_fork_in_child() {
    let is_again = |slot: &usize| {
        let generation = tool(*slot).generation();
        tool(*slot).phase() == Phase::Active && generation != Generation::Y2014
    };
    if !is_in_a_region() {
        for slot in (0..SLOTS).filter(is_again) {
            tool(slot).enter(Phase::Forked);
            subscribe(slot, BEGINNINGS);
        }
    }
}

fn is_in_a_region() -> bool {
    let task = inquiry().and_then(|engine| (engine.task)(0).1);
    task.is_some_and(|task| task.flags & TaskFlags::INITIAL == 0)
}

/// Called when an event comes to a tool that waits for the child's first one. Returns whether the
/// tool is told this event.
#[cold]
pub fn first_event(slot: usize, event: &Event<'_>) -> bool {
    if !begins(event) || !tool(slot).leave(Phase::Forked, Phase::Initialising) {
        return false;
    }
    tool(slot).forget_callbacks();
    clear_words(slot);
    if !ask_again(slot) {
        tool(slot).enter(Phase::Ended);
        detach(slot);
        return false;
    }
    // SAFETY: null, or the engine's answer about the calling thread.
    let thread = inquiry().and_then(|engine| unsafe { (engine.thread)().as_ref() });
    if let Some(thread) = thread
        && !matches!(event, Event::ThreadBegin { .. })
    {
        tell_event(slot, &Event::ThreadBegin { thread, kind: ThreadKind::Initial });
    }
    true
}
