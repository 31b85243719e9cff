//! A mutex in the program's 32-bit word: simple locks, critical sections, atomics' locks.
//!
//! Floor, uncontended: one compare-exchange to take it and one store to give it back (an exchange
//! while a tool is attached). The caller's address is looked up only while a tool is attached.

use super::{FUTEX, budget, hooks};
use crate::call::Call;
use crate::records::Thread;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_events::{MutexKind, State};
use omphalos_sync::word_lock;
use omphalos_sys::entry::Caller;

/// The properties of a mutex that tools see.
#[derive(Clone, Copy)]
pub struct Face {
    /// The mutex's kind.
    pub kind: MutexKind,
    /// The state of a thread that waits for the mutex.
    pub waiting: State,
    /// `omp_sync_hint_t`.
    pub hint: u32,
}

impl Face {
    /// A lock of the `omp_*_lock` routines.
    pub const LOCK: Face = Face { kind: MutexKind::Lock, waiting: State::WAIT_LOCK, hint: 0 };
    /// A critical section.
    pub const CRITICAL: Face =
        Face { kind: MutexKind::Critical, waiting: State::WAIT_CRITICAL, hint: 0 };
    /// The lock of an atomic construct.
    pub const ATOMIC: Face = Face { kind: MutexKind::Atomic, waiting: State::WAIT_ATOMIC, hint: 0 };

    /// Returns the same properties with another hint.
    #[inline(always)]
    pub const fn with_hint(self, hint: u32) -> Face {
        Face { hint, ..self }
    }
}

/// Returns a lock's wait id: its address.
#[inline(always)]
fn wait_id(word: &AtomicU32) -> u64 {
    word.as_ptr() as u64
}

/// Makes the word a free lock.
#[inline]
pub fn init(word: &AtomicU32, face: Face, caller: Caller) {
    word.store(0, Ordering::Relaxed);
    hooks::init(face.kind, face.hint, FUTEX, wait_id(word), caller);
}

/// Tells that the lock is not used again. No thread holds it, so its word needs no change.
#[inline]
pub fn destroy(word: &AtomicU32, face: Face, caller: Caller) {
    hooks::destroy(face.kind, wait_id(word), caller);
}

/// Takes the lock, waiting if it must.
#[inline(always)]
pub fn acquire(word: &AtomicU32, face: Face, caller: Caller) {
    if let Some(thread) = Thread::known()
        && !hooks::is_wanted()
        && word_lock::try_acquire_by(word, &thread.holder)
    {
        return;
    }
    // The face is passed in parts: the compiler would write a whole one to the stack before the
    // attempt.
    acquire_slowly(word, face.kind, face.waiting, face.hint, caller);
}

#[cold]
#[inline(never)]
fn acquire_slowly(word: &AtomicU32, kind: MutexKind, waiting: State, hint: u32, caller: Caller) {
    acquire_watched(word, Face { kind, waiting, hint }, caller);
}

/// Does what [`acquire`] does, on a thread without a tool.
#[inline(always)]
pub fn acquire_unwatched(thread: &'static Thread, word: &AtomicU32, face: Face) {
    if !word_lock::try_acquire_by(word, &thread.holder) {
        wait(thread, word, face.kind, face.waiting, Caller::NONE);
    }
}

/// Does what [`test_watched`] does, on a thread without a tool.
#[inline(always)]
pub fn test_unwatched(thread: &Thread, word: &AtomicU32) -> bool {
    word_lock::try_acquire_by(word, &thread.holder)
}

/// Does what [`acquire`] does, for entries that take another way while no tool wants events of
/// mutexes. Such entries inline it: the compiler then knows the face, and an event costs little
/// more than the tool's callback.
#[inline(always)]
pub fn acquire_watched(word: &AtomicU32, face: Face, call: impl Call) {
    let (thread, caller) = (call.thread(), call.caller());
    let _inside = hooks::inside(thread, caller);
    hooks::acquire(thread, face.kind, (face.hint, FUTEX), wait_id(word), caller);
    if !word_lock::try_acquire_by(word, &thread.holder) {
        wait(thread, word, face.kind, face.waiting, caller.without_frame());
    }
    hooks::acquired(face.kind, wait_id(word), caller);
}

/// Takes a lock of the runtime's own that tools do not see.
#[inline]
pub fn acquire_silently(thread: &Thread, word: &AtomicU32) {
    if !word_lock::try_acquire_by(word, &thread.holder) {
        contend(thread, word);
    }
}

/// Waits for a lock that another thread holds.
#[cold]
#[inline(never)]
fn wait(
    thread: &'static Thread,
    word: &AtomicU32,
    kind: MutexKind,
    waiting: State,
    caller: Caller,
) {
    let state = thread.set_waiting(waiting, wait_id(word));
    // The state is set first, so that a tool that asks for it is told what the event says.
    hooks::wait(kind, wait_id(word), caller);
    contend(thread, word);
    thread.set_state(state);
}

fn contend(thread: &Thread, word: &AtomicU32) {
    word_lock::acquire_contended_by(word, &thread.holder, budget(thread), super::plain::mark);
}

/// Takes the lock if it is free.
#[inline(always)]
pub fn test_watched(word: &AtomicU32, call: impl Call) -> bool {
    let (thread, caller) = (call.thread(), call.caller());
    let _inside = hooks::inside(thread, caller);
    hooks::acquire(thread, MutexKind::TestLock, (0, FUTEX), wait_id(word), caller);
    let got = word_lock::try_acquire_by(word, &thread.holder);
    if got {
        hooks::acquired(MutexKind::TestLock, wait_id(word), caller);
    }
    got
}

/// Gives the lock back.
#[inline(always)]
pub fn release(word: &AtomicU32, face: Face, caller: Caller) {
    if hooks::is_wanted() {
        release_told(word, face.kind, caller);
    } else {
        release_silently(Thread::current(), word);
    }
}

/// Gives a lock back on a thread without a tool, or one that tools do not see.
#[inline(always)]
pub fn release_silently(thread: &Thread, word: &AtomicU32) {
    word_lock::release_by(word, &thread.holder);
}

#[cold]
#[inline(never)]
fn release_told(word: &AtomicU32, kind: MutexKind, caller: Caller) {
    release_watched(word, kind, caller);
}

/// Does what [`release`] does, for entries that take another way while no tool wants events of
/// mutexes.
#[inline(always)]
pub fn release_watched(word: &AtomicU32, kind: MutexKind, call: impl Call) {
    let (thread, caller) = (call.thread(), call.caller());
    // Tools are told before a sleeper is woken. The sleeper may take this thread's processor, and
    // the lock would seem to be held until this thread runs again.
    let wakes = word_lock::give_back(word, &thread.holder);
    {
        let _inside = hooks::inside(thread, caller);
        hooks::released(thread, kind, wait_id(word), caller);
    }
    if wakes {
        word_lock::wake_one(word);
    }
}
