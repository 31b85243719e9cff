//! The locks of which the process has one each, and their state across a `fork`.
//!
//! A forked child has only the thread that called `fork`. A lock that another thread held would
//! stay taken in the child for ever, and the data that it guards would stay half changed. So every
//! lock that lives as long as the process is in one table ([`rank`]) and has one type,
//! [`ProcessLock`];
//! `cargo xtask check` refuses any other. Before the fork the calling thread takes all of them in
//! the order of their ranks ([`before_fork`]). Parent and child give them back ([`after_fork`]). So
//! the child finds each lock free, and the data that it guards whole. Some of that data is no
//! longer true in the child: the crate that has the lock corrects it first, while the lock is held
//! (the engine's `process/fork.rs`).
//!
//! What must hold:
//!
//! * A thread takes a lock only while it holds none of the same or a higher rank. Builds with debug
//!   assertions test it. So threads that wait for each other's locks do not wait in a circle, even
//!   if one of them forks.
//! * No code of the program or of a tool runs under a lock.
//! * A thread that a signal handler may interrupt, and whose handler may take these locks too,
//!   blocks signals first (`omphalos_sys::signals`): threads that meet OpenMP, that end, or that
//!   fork.
//!
//! A lock's word is a [`nest_lock`], which knows its holder exactly. So `fork` also works in a
//! signal handler that interrupted a holder: the lock stays held, in the child too, until the
//! interrupted code gives it back. And another library's handler of `fork` may call the runtime
//! while all locks are held for it.

mod loader;
pub mod numbered;
#[cfg(debug_assertions)]
mod order;
pub mod rank;

pub use loader::{in_loader, is_stuck as loader_is_stuck, may_be_stuck as loader_may_be_stuck};

use crate::nest_lock;
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use omphalos_sys::tls::thread_pointer;

/// The time-stamp cycles that a thread spins for a lock before it sleeps.
const SPIN_CYCLES: u64 = 2000;

static WORDS: [AtomicU64; rank::COUNT] = [const { AtomicU64::new(0) }; rank::COUNT];
/// The thread pointer of the thread that holds all locks, between its handlers of `fork`; else 0.
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// A value that the process has once, behind the lock of this rank. Only one static has the rank.
pub struct ProcessLock<T, const RANK: usize>(UnsafeCell<T>);

// SAFETY: only the holder of the lock reaches the value.
unsafe impl<T: Send, const RANK: usize> Sync for ProcessLock<T, RANK> {}

impl<T, const RANK: usize> ProcessLock<T, RANK> {
    /// Makes the lock of this value.
    pub const fn new(value: T) -> Self {
        assert!(RANK < rank::COUNT);
        ProcessLock(UnsafeCell::new(value))
    }

    /// Waits for the lock. Not async-signal-safe. A thread must not take it twice.
    #[inline]
    pub fn lock(&self) -> Guard<'_, T, RANK> {
        #[cfg(debug_assertions)]
        order::takes(RANK);
        take(&WORDS[RANK]);
        Guard { value: &self.0, word: &WORDS[RANK] }
    }

    /// Takes the lock, if no thread has it.
    #[inline]
    pub fn try_lock(&self) -> Option<Guard<'_, T, RANK>> {
        let own = thread_pointer();
        match nest_lock::try_acquire(&WORDS[RANK], own) {
            0 => None,
            1 => {
                #[cfg(debug_assertions)]
                order::took(RANK);
                Some(Guard { value: &self.0, word: &WORDS[RANK] })
            }
            _ => {
                nest_lock::release(&WORDS[RANK]);
                None
            }
        }
    }

    /// Runs `f` with the value.
    #[inline]
    pub fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        f(&mut self.lock())
    }
}

/// The value, as long as the lock is held.
pub struct Guard<'a, T, const RANK: usize> {
    value: &'a UnsafeCell<T>,
    word: &'static AtomicU64,
}

impl<T, const RANK: usize> Deref for Guard<'_, T, RANK> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.value.get() }
    }
}

impl<T, const RANK: usize> DerefMut for Guard<'_, T, RANK> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held.
        unsafe { &mut *self.value.get() }
    }
}

impl<T, const RANK: usize> Drop for Guard<'_, T, RANK> {
    #[inline]
    fn drop(&mut self) {
        #[cfg(debug_assertions)]
        order::gave_back(RANK);
        give_back(self.word);
    }
}

// Not inlined: nearly a hundred functions take such a lock, and none takes it often.
#[inline(never)]
fn take(word: &'static AtomicU64) {
    let own = thread_pointer();
    let held = nest_lock::try_acquire(word, own);
    if held != 1 {
        take_contended(word, own, held);
    }
}

#[inline(never)]
fn give_back(word: &AtomicU64) {
    nest_lock::release(word);
}

/// Returns all locks, in the order in which a thread may take them.
fn all() -> impl DoubleEndedIterator<Item = &'static AtomicU64> {
    let (before, others) = WORDS.split_at(rank::TABLES);
    before.iter().chain(&numbered::WORDS).chain(others)
}

#[cold]
#[inline(never)]
fn take_contended(word: &AtomicU64, own: usize, held: u32) {
    if held != 0 {
        if FORKS.load(Relaxed) == own {
            // The caller is another library's handler of `fork`: the lock is held for it.
            return;
        }
        nest_lock::release(word);
    }
    nest_lock::acquire_contended(word, own, SPIN_CYCLES);
}

/// Takes every lock, because the calling thread is about to fork. If a signal handler forks, the
/// thread may hold one already; then it holds that one once more. The caller has blocked signals.
pub fn before_fork() {
    let own = thread_pointer();
    for word in all() {
        if nest_lock::try_acquire(word, own) == 0 {
            nest_lock::acquire_contended(word, own, SPIN_CYCLES);
        }
    }
    FORKS.store(own, Relaxed);
    loader::before_fork();
}

/// Does what [`after_fork`] does, in the child.
pub fn after_fork_in_child() {
    loader::after_fork_in_child();
    after_fork();
}

/// Gives the locks back after the thread has forked.
pub fn after_fork() {
    FORKS.store(0, Relaxed);
    for word in all().rev() {
        nest_lock::release(word);
    }
}

#[cfg(test)]
mod tests;
