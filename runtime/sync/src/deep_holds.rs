//! Keeps the holds of nest locks beyond the count of their word: a list of numbers, found by the
//! lock's address.
//!
//! Hardly any program needs this. Only a lock's owner reads or changes its number, so two threads
//! never work on one entry; but many threads search the list at once. The list only grows: an entry
//! with number 0 belongs to no lock, and the next lock takes it.
//!
//! | word | written by | order |
//! |---|---|---|
//! | the list's head | a thread that adds an entry (compare-exchange) | release; acquire by threads that search |
//! | `lock` | from 0, a thread that takes the entry (compare-exchange); to 0, the lock's owner, at last | acquire; release |
//! | `holds` | the lock's owner | the lock itself hands it on |
//!
//! The words are plain atomics in models too: no model uses this file.

use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

struct Entry {
    /// The lock's address; 0: the entry belongs to no lock.
    lock: AtomicUsize,
    holds: AtomicU64,
    next: *const Entry,
}

static ENTRIES: AtomicPtr<Entry> = AtomicPtr::new(core::ptr::null_mut());

fn entries() -> impl Iterator<Item = &'static Entry> {
    // SAFETY: null or an entry; entries are never freed and `next` does not change.
    let first = unsafe { ENTRIES.load(Ordering::Acquire).as_ref() };
    // SAFETY: as above.
    core::iter::successors(first, |entry| unsafe { entry.next.as_ref() })
}

fn entry(lock: usize) -> Option<&'static Entry> {
    entries().find(|entry| entry.lock.load(Ordering::Relaxed) == lock)
}

/// Returns the holds of `lock` beyond the count of its word. For the lock's owner only.
pub(crate) fn get(lock: usize) -> u64 {
    entry(lock).map_or(0, |entry| entry.holds.load(Ordering::Relaxed))
}

/// Sets the holds of `lock` beyond the count of its word; 0 gives its entry back. For the lock's
/// owner only.
pub(crate) fn set(lock: usize, holds: u64) {
    let Some(entry) = entry(lock) else {
        if holds != 0 {
            add(lock, holds);
        }
        return;
    };
    entry.holds.store(holds, Ordering::Relaxed);
    if holds == 0 {
        entry.lock.store(0, Ordering::Release);
    }
}

fn add(lock: usize, holds: u64) {
    let take = |entry: &&Entry| {
        entry.lock.compare_exchange(0, lock, Ordering::Acquire, Ordering::Relaxed).is_ok()
    };
    if let Some(entry) = entries().find(take) {
        return entry.holds.store(holds, Ordering::Relaxed);
    }
    let mut next = ENTRIES.load(Ordering::Acquire);
    let new = Box::into_raw(Box::new(Entry {
        lock: AtomicUsize::new(lock),
        holds: AtomicU64::new(holds),
        next,
    }));
    while let Err(now) = ENTRIES.compare_exchange(next, new, Ordering::AcqRel, Ordering::Acquire) {
        next = now;
        // SAFETY: no other thread has seen it.
        unsafe { (*new).next = next };
    }
}
