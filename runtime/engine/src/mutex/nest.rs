//! Nest locks. A task owns such a lock, and may take it again.

use super::plain::NEST_STORES;
use super::{FUTEX, budget, hooks};
use crate::call::Call;
use crate::records::Thread;
use core::sync::atomic::{AtomicU64, Ordering};
use omphalos_events::{Endpoint, MutexKind, State};
use omphalos_sync::nest_lock;
use omphalos_sys::entry::Caller;

/// Returns a nest lock's wait id: its address.
#[inline(always)]
fn wait_id(word: &AtomicU64) -> u64 {
    word.as_ptr() as u64
}

/// Returns the owner for which the calling thread takes nest locks: its current task.
#[inline(always)]
fn owner(thread: &Thread) -> usize {
    thread.task.get() as usize
}

/// Takes the lock if it is free, or once more by a plain store, and returns how often the task has
/// it then. Returns 0 if another task has the lock, or if the task has to take it once more by an
/// exchange.
#[inline(always)]
fn try_acquire(thread: &Thread, word: &AtomicU64) -> u32 {
    nest_lock::try_acquire_by(word, owner(thread), &NEST_STORES)
}

/// Makes the word a free nest lock.
#[inline]
pub fn nest_init(word: &AtomicU64, hint: u32, caller: Caller) {
    word.store(0, Ordering::Relaxed);
    hooks::init(MutexKind::NestLock, hint, FUTEX, wait_id(word), caller);
}

/// Tells that the nest lock is not used again. No task holds it, so its word needs no change.
#[inline]
pub fn nest_destroy(word: &AtomicU64, caller: Caller) {
    hooks::destroy(MutexKind::NestLock, wait_id(word), caller);
}

/// Tells that the task has taken the lock, for the `count`-th time.
#[inline(always)]
fn told(kind: MutexKind, count: u32, word: &AtomicU64, caller: Caller) {
    if count == 1 {
        hooks::acquired(kind, wait_id(word), caller);
    } else {
        hooks::nested(Endpoint::Begin, wait_id(word), caller);
    }
}

/// Takes the nest lock; waits if another task has it. For a thread without a tool.
#[inline(always)]
pub fn nest_acquire_unwatched(thread: &'static Thread, word: &AtomicU64) {
    if try_acquire(thread, word) == 0 {
        wait(thread, word, Caller::NONE);
    }
}

/// Does what [`nest_acquire_unwatched`] does, while a tool is attached.
#[inline(always)]
pub fn nest_acquire_watched(word: &AtomicU64, call: impl Call) {
    let (thread, caller) = (call.thread(), call.caller());
    let _inside = hooks::inside(thread, caller);
    let kind = MutexKind::NestLock;
    hooks::acquire(thread, kind, (0, FUTEX), wait_id(word), caller);
    let mut count = try_acquire(thread, word);
    if count == 0 {
        count = wait(thread, word, caller.without_frame());
    }
    told(kind, count, word, caller);
}

/// Takes the lock where [`try_acquire`] returned 0: by an exchange, or, if another task has it,
/// after a wait. Returns how often the task has it then.
#[cold]
#[inline(never)]
fn wait(thread: &'static Thread, word: &AtomicU64, caller: Caller) -> u32 {
    let count = nest_lock::try_acquire_slowly(word, owner(thread));
    if count != 0 {
        return count;
    }
    let state = thread.set_waiting(State::WAIT_NEST_LOCK, wait_id(word));
    hooks::wait(MutexKind::NestLock, wait_id(word), caller);
    nest_lock::acquire_contended_by(word, owner(thread), budget(thread), &NEST_STORES);
    thread.set_state(state);
    1
}

/// Takes the nest lock unless another task has it. Returns how often the task has it then, 0 if
/// another task has it. For a thread without a tool.
#[inline(always)]
pub fn nest_test_unwatched(thread: &Thread, word: &AtomicU64) -> u32 {
    match try_acquire(thread, word) {
        0 => nest_lock::try_acquire_slowly(word, owner(thread)),
        count => count,
    }
}

/// Does what [`nest_test_unwatched`] does, while a tool is attached.
#[inline(always)]
pub fn nest_test_watched(word: &AtomicU64, call: impl Call) -> u32 {
    let (thread, caller) = (call.thread(), call.caller());
    let _inside = hooks::inside(thread, caller);
    let kind = MutexKind::TestNestLock;
    hooks::acquire(thread, kind, (0, FUTEX), wait_id(word), caller);
    let count = nest_test_unwatched(thread, word);
    if count != 0 {
        told(kind, count, word, caller);
    }
    count
}

/// Gives the nest lock back once. For a thread without a tool.
#[inline(always)]
pub fn nest_release_unwatched(word: &AtomicU64) {
    nest_lock::release_by(word, &NEST_STORES);
}

/// Does what [`nest_release_unwatched`] does, while a tool is attached.
#[inline(always)]
pub fn nest_release_watched(word: &AtomicU64, call: impl Call) {
    // Tools are told before a sleeper is woken, as in `simple::release_watched`.
    let (left, wakes) = nest_lock::give_back(word, &NEST_STORES);
    let caller = call.caller();
    {
        let _inside = hooks::inside(call.thread(), caller);
        if left == 0 {
            hooks::released(call.thread(), MutexKind::NestLock, wait_id(word), caller);
        } else {
            hooks::nested(Endpoint::End, wait_id(word), caller);
        }
    }
    if wakes {
        nest_lock::wake_one(word);
    }
}
