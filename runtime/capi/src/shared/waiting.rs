//! Taskyield and taskgroups, as both interfaces have them.

use omphalos_engine::tasks;
use omphalos_engine::{Call, Caller, Found, Thread, Unwatched};

/// Returns the calling thread, if it has its record and no tool is attached.
#[inline(always)]
fn unwatched() -> Option<&'static Thread> {
    Thread::known().filter(|_| !omphalos_events::active())
}

/// Passes a task scheduling point.
#[inline(always)]
pub fn yield_task(caller: Caller) {
    match Thread::known() {
        Some(thread) if !thread.team().has_tasks(thread) => {}
        _ => yield_any_task(caller),
    }
}

#[inline(never)]
fn yield_any_task(caller: Caller) {
    tasks::taskyield(Thread::current(), caller);
}

/// Begins a taskgroup where a tool may be attached.
#[inline(always)]
pub fn begin_found_group(call: Found) {
    match call.known() {
        Some(thread) => tasks::begin_group(thread, call),
        None => begin_any_group(call.caller()),
    }
}

/// Ends a taskgroup where a tool may be attached.
#[inline(always)]
pub fn end_found_group(call: Found) {
    match call.known() {
        Some(thread) => tasks::end_group(thread, call),
        None => end_any_group(call.caller()),
    }
}

/// Begins a taskgroup on a thread without a tool.
#[inline(always)]
pub fn begin_group_unwatched(thread: &'static Thread) {
    if !tasks::begin_group_unseen(thread) {
        begin_silent_group(thread);
    }
}

/// Ends a taskgroup on a thread without a tool.
#[inline(always)]
pub fn end_group_unwatched(thread: &'static Thread) {
    if !tasks::end_group_unseen(thread) {
        end_silent_group(thread);
    }
}

#[inline(never)]
fn begin_silent_group(thread: &'static Thread) {
    tasks::begin_group(thread, Unwatched(thread));
}

#[inline(never)]
fn end_silent_group(thread: &'static Thread) {
    tasks::end_group(thread, Unwatched(thread));
}

/// Begins a taskgroup.
#[inline(always)]
pub fn begin_group(caller: Caller) {
    match unwatched() {
        Some(thread) if tasks::begin_group_unseen(thread) => {}
        _ => begin_any_group(caller),
    }
}

#[inline(never)]
fn begin_any_group(caller: Caller) {
    tasks::begin_group(Thread::current(), caller);
}

/// Ends a taskgroup.
#[inline(always)]
pub fn end_group(caller: Caller) {
    match unwatched() {
        Some(thread) if tasks::end_group_unseen(thread) => {}
        _ => end_any_group(caller),
    }
}

#[inline(never)]
fn end_any_group(caller: Caller) {
    tasks::end_group(Thread::current(), caller);
}
