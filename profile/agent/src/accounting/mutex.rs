//! Keeps which mutex a thread waits for, which ones it holds, and the counters of their sites.
//!
//! OMPT does not say whether an acquisition had to wait. So an acquisition that took longer than
//! [`CONTENDED_NS`] counts as contended: a free mutex takes some tens of nanoseconds; one whose
//! cache line another core holds takes somewhat more; a held one takes at least the rest of its
//! holder's critical section and a hand-over. A long acquisition does not count if no thread had
//! the mutex meanwhile: then the thread had lost its processor.

use super::class::Class;
use super::ledger::Ledger;
use super::sites::{MutexTable, mutex as site};
use super::table::Entry;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::MutexKind;

/// An acquisition that takes longer counts as contended, ns.
pub const CONTENDED_NS: u64 = 500;

/// A thread that came to more sites than this counts further ones by place only, with wait id 0:
/// the table must not grow for each lock of a program that has a lock for each of a million
/// objects.
const MOST_SITES: usize = 2048;

/// A mutex that the thread asks for.
#[derive(Clone, Copy)]
pub struct Asking {
    /// OMPT's name for it.
    pub wait_id: u64,
    /// The place that asks for it (`codeptr_ra`).
    pub codeptr: u64,
    /// The time since which the thread asks, ticks.
    pub since: u64,
    /// The class that the thread was in before; none for a test, which does not wait.
    pub before: Option<Class>,
}

/// A mutex that the thread holds.
pub struct Hold {
    /// OMPT's name for it.
    pub wait_id: u64,
    /// Its site.
    pub key: [u64; 3],
    /// The time since which the thread holds it, ticks.
    pub since: u64,
}

/// The most mutexes of a thread that are followed. A thread that holds more does not release them
/// itself: other threads do.
pub const MOST_HELD: usize = 64;

/// Returns the key of a site. Ordered regions have their place alone as a key: each execution of a
/// loop has another mutex.
pub fn key(wait_id: u64, kind: u64, codeptr: u64) -> [u64; 3] {
    [if is_ordered(kind) { 0 } else { wait_id }, kind, codeptr]
}

/// Whether this is the kind of ordered regions. A thread that waits there waits for another
/// iteration; no mutex is released.
pub fn is_ordered(kind: u64) -> bool {
    kind == MutexKind::Ordered.number() as u64
}

/// Returns the mutex that a thread asks for at `now` and does not have: its site, and for how long
/// the thread has asked. Any thread may call it.
pub fn open_wait(of: &Ledger, now: u64) -> Option<([u64; 3], u64)> {
    let place = &of.place;
    let waits = of.account.class() == Class::Mutex && !of.account.is_off();
    let since = place.wait_since.load(Relaxed);
    let kind = u64::from(place.wait_kind.load(Relaxed));
    let site = key(place.wait_id.load(Relaxed), kind, place.wait_codeptr.load(Relaxed));
    (waits && since < now).then(|| (site, now - since))
}

/// Returns the entry of a mutex at a place, and its key, which leaves the mutex out where there are
/// too many. For the table's owner, in callbacks.
#[inline]
pub fn entry(mutexes: &MutexTable, key: [u64; 3]) -> (&Entry<{ site::COUNT }>, [u64; 3]) {
    match mutexes.known(key) {
        Some(entry) => (entry, key),
        None => rarer_entry(mutexes, key),
    }
}

/// Does what [`entry`] does, for a key that was not found lately.
#[cold]
#[inline(never)]
fn rarer_entry(mutexes: &MutexTable, mut key: [u64; 3]) -> (&Entry<{ site::COUNT }>, [u64; 3]) {
    if mutexes.count() >= MOST_SITES && mutexes.find(key).is_none() {
        key[0] = 0;
    }
    (mutexes.entry_of(key), key)
}
