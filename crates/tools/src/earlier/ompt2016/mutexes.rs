//! Locks, critical sections and the like. The text has an event for a task that asks for a nest
//! lock which it does not own. It is told once that is certain.
#![allow(non_upper_case_globals)]

use super::view::View;
use crate::earlier::tell::tell;
use core::sync::atomic::Ordering;
use omphalos_abi::earlier::ompt2016::*;
use omphalos_events::{Endpoint, Event, MutexKind, inquiry};

/// The implementation that the runtime's mutexes have, as `ompt_enumerate_mutex_kinds` names it.
const IMPLEMENTATION: u64 = 1;

/// Translates events of mutexes; ignores others.
#[inline(always)]
pub fn notify(view: View, event: &Event<'_>) {
    match *event {
        // A test is no attempt to acquire, since it may fail. And a task need not acquire a nest
        // lock that it owns; whether it owns it shows later.
        Event::MutexAcquire {
            kind: MutexKind::TestLock | MutexKind::TestNestLock | MutexKind::NestLock,
            ..
        } => {}
        Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr } => {
            let (hint, implementation) = (u64::from(hint), u64::from(implementation));
            let (event, kind) = (ompt_event_mutex_acquire, mutex(kind) as u64);
            tell!(view, event, kind, hint, implementation, wait_id, codeptr);
        }
        Event::MutexWait { kind: MutexKind::NestLock, wait_id, codeptr } => {
            asks_for_nest_lock(view, wait_id, codeptr);
            note_asking(view, true);
        }
        Event::MutexAcquired { kind, wait_id, codeptr } => {
            if kind == MutexKind::NestLock && !note_asking(view, false) {
                asks_for_nest_lock(view, wait_id, codeptr);
            }
            tell!(view, ompt_event_mutex_acquired, mutex(kind) as u64, wait_id, codeptr);
        }
        Event::MutexReleased { kind, wait_id, codeptr } => {
            tell!(view, ompt_event_mutex_release, mutex(kind) as u64, wait_id, codeptr);
        }
        // The event is the inner acquisition, from begin to end. The inner release has none.
        Event::NestLock { endpoint: Endpoint::Begin, wait_id, codeptr } => {
            for endpoint in [ompt_scope_begin, ompt_scope_end] {
                tell!(view, ompt_event_nested_lock, endpoint as u64, wait_id, codeptr);
            }
        }
        Event::LockInit { kind, hint, implementation, wait_id, codeptr } => {
            let nest = u64::from(mutex(kind) == ompt_mutex_nest_lock);
            let (hint, implementation) = (u64::from(hint), u64::from(implementation));
            tell!(view, ompt_event_init_lock, nest, wait_id, hint, implementation, codeptr);
        }
        Event::LockDestroy { kind, wait_id, codeptr } => {
            let nest = u64::from(mutex(kind) == ompt_mutex_nest_lock);
            tell!(view, ompt_event_destroy_lock, nest, wait_id, codeptr);
        }
        _ => {}
    }
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

/// The calling thread is about to acquire a nest lock that it does not own.
fn asks_for_nest_lock(view: View, wait_id: u64, codeptr: u64) {
    let (event, kind) = (ompt_event_mutex_acquire, ompt_mutex_nest_lock as u64);
    tell!(view, event, kind, 0, IMPLEMENTATION, wait_id, codeptr);
}

/// Notes whether the tool was told that the thread asks for one. Returns what was noted before.
fn note_asking(view: View, asks: bool) -> bool {
    let Some(notes) = inquiry().and_then(|engine| (engine.notes)()) else { return false };
    let (bit, noted) = (1 << view.slot, notes.asking.load(Ordering::Relaxed));
    let noting = if asks { noted | bit } else { noted & !bit };
    notes.asking.store(noting, Ordering::Relaxed);
    noted & bit != 0
}
