//! Mutual exclusion: locks, critical, ordered, atomic.
//!
//! OMPT does not say whether an acquisition had to wait, so one that took longer than
//! [`CONTENDED_NS`] counts as contended: a free mutex takes some tens of nanoseconds, one whose
//! cache line another core holds somewhat more, a held one at least the rest of its holder's
//! critical section and a hand-over.

use crate::accounting::Class;
use crate::accounting::table::{Entry, Table};
use crate::clock::{self, ticks};
use crate::thread::Thread;
use crate::tool::on_busy_thread;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::{Endpoint, Mutex, MutexAcquire, MutexKind, NestLock, State};

/// An acquisition that takes longer counts as contended, ns.
pub const CONTENDED_NS: u64 = 500;

/// Counters of a mutex site.
pub mod site {
    #![allow(missing_docs)]
    pub const ACQUISITIONS: usize = 0;
    pub const CONTENDED: usize = 1;
    pub const WAIT: usize = 2;
    pub const LONGEST: usize = 3;
    pub const HOLD: usize = 4;
    /// Acquisitions that were timed.
    pub const TIMED: usize = 5;
    /// Waits that a tick found the thread in, beside the timed ones.
    pub const FOUND: usize = 6;
    /// Waiting and holding in timed events lately.
    pub const RECENT_WAIT: usize = 7;
    pub const RECENT_HOLD: usize = 8;
    /// `codeptr_ra` of the region that a critical or ordered region was in.
    pub const REGION: usize = 9;
    pub const COUNT: usize = 10;
}

/// Mutex sites: (wait id, kind, codeptr_ra).
pub type MutexTable = Table<{ site::COUNT }>;

/// A thread that came to more sites than this counts what follows by place only, with wait id 0:
/// programs with a lock for each of a million objects must not grow a table for each.
const MOST_SITES: usize = 2048;

/// A mutex that the thread asks for.
#[derive(Clone, Copy)]
pub struct Asking {
    wait_id: u64,
    codeptr: u64,
    since: u64,
    before: Option<Class>,
}

/// A mutex that the thread holds.
pub struct Hold {
    wait_id: u64,
    key: [u64; 3],
    since: u64,
}

/// More mutexes at once are not followed: somebody releases them elsewhere.
const MOST_HELD: usize = 64;

/// A mutex is asked for.
#[inline]
pub fn acquire(event: MutexAcquire<'_>) {
    let ask = |thread: &Thread, _| {
        thread.stack().works(&thread.account);
        // A test does not wait, and one that fails is never acquired.
        let tests = matches!(event.kind, MutexKind::TestLock | MutexKind::TestNestLock);
        // The wait begins when we are done.
        let now = ticks();
        let before = (!tests).then(|| thread.account.switch(Class::Mutex, now));
        let place = &thread.place;
        place.wait_state.store(state_of(event.kind).number() as u32, Relaxed);
        place.wait_id.store(event.wait_id, Relaxed);
        place.wait_kind.store(event.kind.number() as u32, Relaxed);
        place.wait_codeptr.store(event.codeptr, Relaxed);
        place.wait_since.store(now, Relaxed);
        thread.stack().asking =
            Some(Asking { wait_id: event.wait_id, codeptr: event.codeptr, since: now, before });
    };
    on_busy_thread(|_| (), ask);
}

/// The state of a thread that waits for such a mutex.
fn state_of(kind: MutexKind) -> State {
    match kind {
        MutexKind::Critical => State::WaitCritical,
        MutexKind::Atomic => State::WaitAtomic,
        MutexKind::Ordered => State::WaitOrdered,
        _ => State::WaitLock,
    }
}

/// A mutex that `thread` asks for at `now` and does not have: its site and for how long. For any
/// thread.
pub fn open_wait(thread: &Thread, now: u64) -> Option<([u64; 3], u64)> {
    let place = &thread.place;
    let waits = thread.account.class() == Class::Mutex && !thread.account.pace.is_off();
    let since = place.wait_since.load(Relaxed);
    let kind = u64::from(place.wait_kind.load(Relaxed));
    let site = [place.wait_id.load(Relaxed), kind, place.wait_codeptr.load(Relaxed)];
    (waits && since < now).then(|| (site, now - since))
}

/// A mutex is acquired.
#[inline]
pub fn acquired(event: Mutex<'_>) {
    let take = |thread: &Thread, now: u64| {
        let wait_id = event.wait_id;
        let stack = thread.stack();
        let asked = stack.asking.take();
        match asked.and_then(|asked| asked.before) {
            Some(before) => {
                thread.account.switch(before, now);
            }
            // It was asked for in an untimed stretch.
            None if thread.account.class() == Class::Mutex => {
                thread.account.switch(stack.active(), now);
            }
            None => {}
        }
        let asked = asked.filter(|asked| asked.wait_id == wait_id);
        let place = asked.map_or(event.codeptr, |asked| asked.codeptr);
        let (entry, key) = entry(thread, [wait_id, event.kind.number() as u64, place]);
        entry.add(site::ACQUISITIONS, 1);
        if matches!(event.kind, MutexKind::Critical | MutexKind::Ordered) {
            entry.values[site::REGION].store(thread.place.codeptr.load(Relaxed), Relaxed);
        }
        if let Some(asked) = asked {
            let waited = now.saturating_sub(asked.since);
            entry.add(site::TIMED, 1);
            entry.add(site::CONTENDED, u64::from(clock::ns(waited) > CONTENDED_NS));
            entry.add(site::WAIT, waited);
            entry.add(site::RECENT_WAIT, waited);
            entry.raise(site::LONGEST, waited);
        } else if stack.found_waiting > 0 {
            entry.add(site::FOUND, 1);
            entry.add(site::WAIT, stack.found_waiting);
            entry.raise(site::LONGEST, stack.found_waiting);
        }
        stack.found_waiting = 0;
        if stack.holds.len() == MOST_HELD {
            stack.holds.remove(0);
        }
        stack.holds.push(Hold { wait_id, key, since: now });
    };
    let count = |thread: &Thread| {
        let key = [event.wait_id, event.kind.number() as u64, event.codeptr];
        entry(thread, key).0.add(site::ACQUISITIONS, 1);
    };
    on_busy_thread(count, take);
}

/// The entry of a mutex at a place, and its key: without the mutex where there are too many.
fn entry(thread: &Thread, mut key: [u64; 3]) -> (&Entry<{ site::COUNT }>, [u64; 3]) {
    let known = thread.mutexes.find(key);
    if known.is_none() && thread.mutexes.count() >= MOST_SITES {
        key[0] = 0;
    }
    (known.unwrap_or_else(|| thread.mutexes.entry(key)), key)
}

/// A mutex is released.
#[inline]
pub fn released(event: Mutex<'_>) {
    let release = |thread: &Thread, now: u64| {
        let holds = &mut thread.stack().holds;
        if let Some(at) = holds.iter().rposition(|hold| hold.wait_id == event.wait_id) {
            let hold = holds.remove(at);
            let held = now.saturating_sub(hold.since);
            let entry = thread.mutexes.entry(hold.key);
            entry.add(site::HOLD, held);
            entry.add(site::RECENT_HOLD, held);
        }
    };
    on_busy_thread(|_| (), release);
}

/// The owner of a nest lock takes it again: what it asked for it had already.
#[inline]
pub fn nest_lock(event: NestLock<'_>) {
    if event.endpoint == Endpoint::Begin {
        let keep = |thread: &Thread, now: u64| {
            let asked = thread.stack().asking.take();
            if let Some(before) = asked.and_then(|asked| asked.before) {
                thread.account.switch(before, now);
            }
        };
        on_busy_thread(|_| (), keep);
    }
}
