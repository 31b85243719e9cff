//! Tells of locks, critical sections and other mutexes. The text has an event for a task that asks
//! for a nest lock that it does not own. It is told once it is certain that the task does not own
//! the lock.
#![allow(non_upper_case_globals)]

use super::view::View;
use crate::earlier::call_tool::call_tool;
use core::sync::atomic::{AtomicUsize, Ordering};
use omphalos_abi::earlier::ompt2016::*;
use omphalos_events::{Endpoint, Event, MutexKind, inquiry};
use omphalos_index::Index;
use omphalos_sync::process_lock::{ProcessLock, rank};

/// The implementation of the runtime's mutexes, as `ompt_enumerate_mutex_kinds` numbers it.
const IMPLEMENTATION: u64 = 1;

/// Translates events of mutexes; ignores others.
#[inline(always)]
pub fn tell_event(view: View, event: &Event<'_>) {
    match *event {
        // A test is no attempt to acquire, because it may fail. And a task does not acquire a nest
        // lock that it owns already; only a later event shows whether it does.
        Event::MutexAcquire {
            kind: MutexKind::TestLock | MutexKind::TestNestLock | MutexKind::NestLock,
            ..
        } => {}
        Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr } => {
            let hint = if kind == MutexKind::Lock { hint_of(wait_id) } else { hint };
            let (hint, implementation) = (u64::from(hint), u64::from(implementation));
            let (event, kind) = (ompt_event_mutex_acquire, mutex(kind) as u64);
            call_tool!(view, event, kind, hint, implementation, wait_id, codeptr);
        }
        Event::MutexWait { kind: MutexKind::NestLock, wait_id, codeptr } => {
            asks_for_nest_lock(view, wait_id, codeptr);
            note_asking(view, true);
        }
        Event::MutexAcquired { kind, wait_id, codeptr } => {
            if kind == MutexKind::NestLock && !note_asking(view, false) {
                asks_for_nest_lock(view, wait_id, codeptr);
            }
            call_tool!(view, ompt_event_mutex_acquired, mutex(kind) as u64, wait_id, codeptr);
        }
        Event::MutexReleased { kind, wait_id, codeptr } => {
            call_tool!(view, ompt_event_mutex_release, mutex(kind) as u64, wait_id, codeptr);
        }
        // The event is the inner acquisition, from begin to end. The inner release has no event.
        Event::NestLock { endpoint: Endpoint::Begin, wait_id, codeptr } => {
            for endpoint in [ompt_scope_begin, ompt_scope_end] {
                call_tool!(view, ompt_event_nested_lock, endpoint as u64, wait_id, codeptr);
            }
        }
        Event::LockInit { kind, hint, implementation, wait_id, codeptr } => {
            keep_hint(wait_id, hint);
            let nest = u64::from(mutex(kind) == ompt_mutex_nest_lock);
            let (hint, implementation) = (u64::from(hint), u64::from(implementation));
            call_tool!(view, ompt_event_init_lock, nest, wait_id, hint, implementation, codeptr);
        }
        Event::LockDestroy { kind, wait_id, codeptr } => {
            keep_hint(wait_id, 0);
            let nest = u64::from(mutex(kind) == ompt_mutex_nest_lock);
            call_tool!(view, ompt_event_destroy_lock, nest, wait_id, codeptr);
        }
        _ => {}
    }
}

/// The hints of locks that were made with one, by address.
static HINTS: ProcessLock<Index<u32>, { rank::HINTS }> = ProcessLock::new(Index::new());
/// The number of hints. If there is none, a thread that acquires a lock need not look for one.
static HINTED: AtomicUsize = AtomicUsize::new(0);

/// Keeps the hint with which a lock was made; 0: it was made with none, or it goes.
fn keep_hint(lock: u64, hint: u32) {
    if hint == 0 && HINTED.load(Ordering::Relaxed) == 0 {
        return;
    }
    let mut hints = HINTS.lock();
    match hint {
        0 => hints.remove(lock as usize),
        hint => hints.insert(lock as usize, hint),
    };
    HINTED.store(hints.len(), Ordering::Relaxed);
}

/// Returns the hint with which a lock was made, 0 for none.
fn hint_of(lock: u64) -> u32 {
    if HINTED.load(Ordering::Relaxed) == 0 {
        return 0;
    }
    HINTS.lock().get(lock as usize).copied().unwrap_or(0)
}

fn mutex(kind: MutexKind) -> ompt_mutex_kind_t {
    match kind {
        MutexKind::Lock | MutexKind::TestLock => ompt_mutex_lock,
        MutexKind::NestLock | MutexKind::TestNestLock => ompt_mutex_nest_lock,
        MutexKind::Critical => ompt_mutex_critical,
        MutexKind::Atomic => ompt_mutex_atomic,
        MutexKind::Ordered => ompt_mutex_ordered,
    }
}

/// Tells that the calling thread is about to acquire a nest lock that it does not own.
fn asks_for_nest_lock(view: View, wait_id: u64, codeptr: u64) {
    let (event, kind) = (ompt_event_mutex_acquire, ompt_mutex_nest_lock as u64);
    let hint = u64::from(hint_of(wait_id));
    call_tool!(view, event, kind, hint, IMPLEMENTATION, wait_id, codeptr);
}

/// Notes whether the tool was told that the thread asks for a nest lock. Returns the note from
/// before.
fn note_asking(view: View, asks: bool) -> bool {
    let Some(notes) = inquiry().and_then(|engine| (engine.notes)()) else { return false };
    let (bit, noted) = (1 << view.slot, notes.asking.load(Ordering::Relaxed));
    let noting = if asks { noted | bit } else { noted & !bit };
    notes.asking.store(noting, Ordering::Relaxed);
    noted & bit != 0
}
