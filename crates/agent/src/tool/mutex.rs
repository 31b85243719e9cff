//! Mutual exclusion: locks, critical, ordered, atomic.
//!
//! OMPT does not say whether an acquisition had to wait, so one that took longer than
//! [`CONTENDED_NS`] counts as contended: a free mutex takes some tens of nanoseconds, one whose
//! cache line another core holds somewhat more, a held one at least the rest of its holder's
//! critical section and a hand-over.

use crate::accounting::Class;
use crate::accounting::table::{Entry, Table};
use crate::clock::{self, ticks};
use crate::tool::on_thread;
use omphalos_ompt::{Endpoint, Mutex, MutexAcquire, MutexKind, NestLock};

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
    pub const COUNT: usize = 5;
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
    on_thread(|thread, _| {
        // A test does not wait, and one that fails is never acquired.
        let tests = matches!(event.kind, MutexKind::TestLock | MutexKind::TestNestLock);
        // The wait begins when we are done.
        let now = ticks();
        let before = (!tests).then(|| thread.account.switch(Class::Mutex, now));
        thread.stack().asking =
            Some(Asking { wait_id: event.wait_id, codeptr: event.codeptr, since: now, before });
    });
}

/// A mutex is acquired.
#[inline]
pub fn acquired(event: Mutex<'_>) {
    on_thread(|thread, now| {
        let wait_id = event.wait_id;
        let stack = thread.stack();
        let asked = stack.asking.take();
        if let Some(before) = asked.and_then(|asked| asked.before) {
            thread.account.switch(before, now);
        }
        let asked = asked.filter(|asked| asked.wait_id == wait_id);
        let place = asked.map_or(event.codeptr, |asked| asked.codeptr);
        let waited = asked.map_or(0, |asked| now.saturating_sub(asked.since));
        let mut key = [wait_id, event.kind.number() as u64, place];
        let known = thread.mutexes.find(key);
        if known.is_none() && thread.mutexes.count() >= MOST_SITES {
            key[0] = 0;
        }
        let entry: &Entry<{ site::COUNT }> = known.unwrap_or_else(|| thread.mutexes.entry(key));
        entry.add(site::ACQUISITIONS, 1);
        entry.add(site::CONTENDED, u64::from(clock::ns(waited) > CONTENDED_NS));
        entry.add(site::WAIT, waited);
        entry.raise(site::LONGEST, waited);
        if stack.holds.len() == MOST_HELD {
            stack.holds.remove(0);
        }
        stack.holds.push(Hold { wait_id, key, since: now });
    });
}

/// A mutex is released.
#[inline]
pub fn released(event: Mutex<'_>) {
    on_thread(|thread, now| {
        let holds = &mut thread.stack().holds;
        if let Some(at) = holds.iter().rposition(|hold| hold.wait_id == event.wait_id) {
            let hold = holds.remove(at);
            let held = now.saturating_sub(hold.since);
            thread.mutexes.entry(hold.key).add(site::HOLD, held);
        }
    });
}

/// The owner of a nest lock takes it again: what it asked for it had already.
#[inline]
pub fn nest_lock(event: NestLock<'_>) {
    if event.endpoint == Endpoint::Begin {
        on_thread(|thread, now| {
            let asked = thread.stack().asking.take();
            if let Some(before) = asked.and_then(|asked| asked.before) {
                thread.account.switch(before, now);
            }
        });
    }
}
