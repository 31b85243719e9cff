//! Tells tools of all kinds of mutual exclusion: locks, critical, ordered, atomic.

use crate::records::Thread;
use core::sync::atomic::Ordering;
use omphalos_events::{
    Endpoint, Event, Kind, MutexKind, dispatch, partner, tell_tools, wants, wants_any,
};
use omphalos_sys::entry::Caller;

/// All kinds of events of mutexes, except that a lock was made or goes.
pub(crate) const ALL: u64 = Kind::MutexAcquire.bit()
    | Kind::MutexWait.bit()
    | Kind::MutexAcquired.bit()
    | Kind::MutexReleased.bit()
    | Kind::NestLock.bit();

/// Whether a tool wants any event of mutexes.
#[inline(always)]
pub fn is_wanted() -> bool {
    wants_any(ALL)
}

/// A guard: while it lives, the task's enter frame is the program's call.
pub struct Inside(&'static Thread);

/// Notes for tools that the thread's current task is in the runtime, called by `caller`, until the
/// returned guard is dropped.
#[inline(always)]
pub fn inside(thread: &'static Thread, caller: Caller) -> Inside {
    thread.task().tool.frame.enter.store(caller.entry_border(), Ordering::Relaxed);
    Inside(thread)
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        // The task is looked up again: keeping it in a register over the tool's callbacks costs
        // more.
        self.0.task().tool.frame.enter.store(0, Ordering::Relaxed);
    }
}

/// Tells that a lock or nest lock was made. This is often a program's first call into the runtime,
/// so the tools are started first: they have to be told of it.
#[inline(always)]
pub fn init(kind: MutexKind, hint: u32, implementation: u32, wait_id: u64, caller: Caller) {
    if Thread::known().is_none() || wants(Kind::LockInit) {
        tell_made(kind, hint, implementation, wait_id, caller);
    }
}

#[cold]
#[inline(never)]
fn tell_made(kind: MutexKind, hint: u32, implementation: u32, wait_id: u64, caller: Caller) {
    Thread::current();
    if wants(Kind::LockInit) {
        let codeptr = caller.address();
        dispatch(&Event::LockInit { kind, hint, implementation, wait_id, codeptr });
    }
}

/// Tells that a lock or nest lock is about to go. This may be a thread's first call into the
/// runtime.
#[inline(always)]
pub fn destroy(kind: MutexKind, wait_id: u64, caller: Caller) {
    if wants(Kind::LockDestroy) {
        tell_destroyed(kind, wait_id, caller);
    }
}

#[cold]
#[inline(never)]
fn tell_destroyed(kind: MutexKind, wait_id: u64, caller: Caller) {
    Thread::current();
    if wants(Kind::LockDestroy) {
        dispatch(&Event::LockDestroy { kind, wait_id, codeptr: caller.address() });
    }
}

/// Whether the only tool that wants this event wants the thread quiet. Such a tool is told that the
/// thread has acquired a mutex, but not that it asked for it or gave it back.
#[inline(always)]
fn is_quiet(thread: &Thread, event: Kind) -> bool {
    thread.notes.tasks.is_on() && partner::is_alone(event)
}

/// Tells that the thread is about to acquire a mutex. A tool is attached whenever this function or
/// one below is called.
#[inline(always)]
pub fn acquire(
    thread: &Thread,
    kind: MutexKind,
    (hint, implementation): (u32, u32),
    wait_id: u64,
    caller: Caller,
) {
    if !is_quiet(thread, Kind::MutexAcquire) {
        tell_tools::mutex_acquire(kind, hint, implementation, wait_id, caller.address());
    }
}

/// Tells that the thread begins to wait for a mutex that another thread holds.
#[inline(always)]
pub fn wait(kind: MutexKind, wait_id: u64, caller: Caller) {
    if wants(Kind::MutexWait) {
        dispatch(&Event::MutexWait { kind, wait_id, codeptr: caller.address() });
    }
}

/// Tells that the thread has the mutex.
#[inline(always)]
pub fn acquired(kind: MutexKind, wait_id: u64, caller: Caller) {
    tell_tools::mutex_acquired(kind, wait_id, caller.address());
}

/// Tells that the thread gave the mutex back.
#[inline(always)]
pub fn released(thread: &Thread, kind: MutexKind, wait_id: u64, caller: Caller) {
    if !is_quiet(thread, Kind::MutexReleased) {
        tell_tools::mutex_released(kind, wait_id, caller.address());
    }
}

/// Tells that the owner of a nest lock took it again (begin), or gave it back once and still owns
/// it (end).
#[inline(always)]
pub fn nested(endpoint: Endpoint, wait_id: u64, caller: Caller) {
    tell_tools::nest_lock(endpoint, wait_id, caller.address());
}
