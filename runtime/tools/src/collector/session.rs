//! Keeps a client's session: whether one runs, its callbacks, and its layout of `mem`.
//!
//! There is one session at a time, as the API's specification says: several clients have to share
//! it. What must hold: the requests STATE and CURRENT_PRID read single words of it and take no
//! lock. A function that changes more than one word does so under `CHANGING`, which is never held
//! while foreign code runs.

use super::{events, events::kinds_of};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use omphalos_abi::collector::*;
use omphalos_events::{attach_wordless, detach, subscribe, unsubscribe};
use omphalos_sync::process_lock::{ProcessLock, rank};

/// One past the last event that can be registered.
pub const EVENTS: usize = OMP_EVENT_THR_END_ATWT as usize + 1;

/// Whether a session runs: true between START and STOP. Written under `CHANGING`, read by every
/// request.
static STARTED: AtomicBool = AtomicBool::new(false);
/// Whether events are paused: true between PAUSE and RESUME.
static PAUSED: AtomicBool = AtomicBool::new(false);
/// Whether the client gives `{int, pointer}` C's natural layout instead of packing it. Set by
/// REGISTER.
static PADDED: AtomicBool = AtomicBool::new(false);
/// Whether the client is TAU's. Set by REGISTER.
static TAU: AtomicBool = AtomicBool::new(false);
/// The client's callbacks by event, 0 for none. Written under `CHANGING`, read by events.
static CALLBACKS: [AtomicUsize; EVENTS] = [const { AtomicUsize::new(0) }; EVENTS];
static CHANGING: ProcessLock<(), { rank::SESSION }> = ProcessLock::new(());

/// Returns the subscriber slot, which is always the same.
fn slot() -> usize {
    attach_wordless(events::tell_event)
}

fn changing<R>(change: impl FnOnce() -> R) -> R {
    let _changing = CHANGING.lock();
    change()
}

/// Whether a session runs. Async-signal-safe.
#[inline]
pub fn started() -> bool {
    STARTED.load(Ordering::Acquire)
}

/// Begins a session. Returns false if one runs already.
pub fn start() -> bool {
    changing(|| {
        if STARTED.load(Ordering::Relaxed) {
            return false;
        }
        PAUSED.store(false, Ordering::Relaxed);
        PADDED.store(false, Ordering::Relaxed);
        TAU.store(false, Ordering::Relaxed);
        // From here on regions get ids, even for a client that only samples.
        subscribe(slot(), 0);
        STARTED.store(true, Ordering::Release);
        true
    })
}

/// Ends the session and forgets its callbacks.
pub fn stop() {
    changing(|| {
        STARTED.store(false, Ordering::Release);
        detach(slot());
        for callback in &CALLBACKS {
            callback.store(0, Ordering::Release);
        }
    });
}

/// Sets (0: removes) the callback of a known event.
pub fn register(event: usize, callback: usize) {
    changing(|| {
        if let Some(entry) = CALLBACKS.get(event) {
            entry.store(callback, Ordering::Release);
        }
        attach_slot();
    });
}

/// Tells no events until [`resume`]. A second call changes nothing.
pub fn pause() {
    changing(|| {
        PAUSED.store(true, Ordering::Relaxed);
        attach_slot();
    });
}

/// Tells events again.
pub fn resume() {
    changing(|| {
        PAUSED.store(false, Ordering::Relaxed);
        attach_slot();
    });
}

/// Subscribes to the events that the callbacks need, and to no other.
fn attach_slot() {
    if !STARTED.load(Ordering::Relaxed) {
        return;
    }
    let wanted = if PAUSED.load(Ordering::Relaxed) {
        0
    } else {
        let registered = |event: &usize| CALLBACKS[*event].load(Ordering::Relaxed) != 0;
        (1..EVENTS).filter(registered).fold(0, |all, event| all | kinds_of(event as Event))
    };
    unsubscribe(slot(), !wanted);
    subscribe(slot(), wanted);
}

/// Returns the callback of an event, 0 if there is none or events are paused.
#[inline]
pub fn callback(event: Event) -> usize {
    if PAUSED.load(Ordering::Relaxed) {
        return 0;
    }
    CALLBACKS.get(event as usize).map_or(0, |entry| entry.load(Ordering::Acquire))
}

/// Whether the client pads `{int, pointer}`. Async-signal-safe.
pub fn padded() -> bool {
    PADDED.load(Ordering::Relaxed)
}

/// Notes how the client lays out `{int, pointer}`.
pub fn set_padded(padded: bool) {
    PADDED.store(padded, Ordering::Relaxed);
}

/// Whether the client is TAU's, which was written for OpenUH's runtime.
#[inline]
pub fn is_tau() -> bool {
    TAU.load(Ordering::Relaxed)
}

/// Notes that the client is TAU's.
pub fn set_tau() {
    TAU.store(true, Ordering::Relaxed);
}
