//! Mutual exclusion: locks, critical, ordered, atomic.
//!
//! `accounting::mutex` keeps the figures.

use crate::accounting::Class;
use crate::accounting::mutex::{Asking, CONTENDED_NS, Hold, MOST_HELD, entry, is_ordered, key};
use crate::accounting::sites::mutex as site;
use crate::clock::{self, ticks};
use crate::thread::{self, Owner, Thread};
use crate::tool::on_busy_thread;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::{Endpoint, Mutex, MutexAcquire, MutexKind, NestLock, State};

/// The number of contended acquisitions at a site that are examined closely. Further ones are not,
/// because such a look asks all threads while the mutex is held.
const LOOKED_AT: u64 = 16;

/// Books that a mutex is asked for.
#[inline]
pub fn acquire(event: MutexAcquire<'_>) {
    let ask = |owner: &mut Owner, _| {
        let account = owner.books();
        owner.stack().works(account);
        // A test does not wait, and one that fails is never acquired.
        let tests = matches!(event.kind, MutexKind::TestLock | MutexKind::TestNestLock);
        // The wait begins when this callback is done.
        let now = ticks();
        let before = (!tests).then(|| account.switch(Class::Mutex, now));
        let place = &owner.place;
        place.wait_state.store(state_of(event.kind).number() as u32, Relaxed);
        place.wait_id.store(event.wait_id, Relaxed);
        place.wait_kind.store(event.kind.number() as u32, Relaxed);
        place.wait_codeptr.store(event.codeptr, Relaxed);
        place.wait_since.store(now, Relaxed);
        owner.stack().asking =
            Some(Asking { wait_id: event.wait_id, codeptr: event.codeptr, since: now, before });
    };
    on_busy_thread(|_| (), ask);
}

/// Returns the state of a thread that waits for such a mutex.
fn state_of(kind: MutexKind) -> State {
    match kind {
        MutexKind::Critical => State::WaitCritical,
        MutexKind::Atomic => State::WaitAtomic,
        MutexKind::Ordered => State::WaitOrdered,
        _ => State::WaitLock,
    }
}

/// Books that a mutex is acquired.
#[inline]
pub fn acquired(event: Mutex<'_>) {
    let take = |owner: &mut Owner, now: u64| {
        let wait_id = event.wait_id;
        let (thread, account) = (owner.thread(), owner.books());
        let stack = owner.stack();
        let asked = stack.asking.take();
        match asked.and_then(|asked| asked.before) {
            Some(before) => {
                account.switch(before, now);
            }
            // The mutex was asked for in an untimed stretch.
            None if account.class() == Class::Mutex => {
                account.switch(stack.active(), now);
            }
            None => {}
        }
        let asked = asked.filter(|asked| asked.wait_id == wait_id);
        let place = asked.map_or(event.codeptr, |asked| asked.codeptr);
        let key = key(wait_id, event.kind.number() as u64, place);
        let (entry, key) = entry(&thread.mutexes, key);
        let hold = Hold { wait_id, key, since: now };
        entry.add(site::ACQUISITIONS, 1);
        entry.values[site::REGION].store(thread.place.codeptr.load(Relaxed), Relaxed);
        if let Some(asked) = asked {
            let waited = now.saturating_sub(asked.since);
            entry.add(site::TIMED, 1);
            let known = entry.values[site::CONTENDED].load(Relaxed);
            let contended = clock::ns(waited) > CONTENDED_NS
                && (known >= LOOKED_AT || had_been_taken(thread, &hold, asked.since));
            entry.add(site::CONTENDED, u64::from(contended));
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
        stack.holds.push(hold);
        if !is_ordered(key[1]) {
            owner.holding.take(wait_id, key, now);
        }
    };
    let count = |owner: &mut Owner| {
        let key = key(event.wait_id, event.kind.number() as u64, event.codeptr);
        entry(&owner.mutexes, key).0.add(site::ACQUISITIONS, 1);
        owner.cost.count_acquisition();
    };
    on_busy_thread(count, take);
}

/// Whether another thread may have had the mutex since `by`, which has it, asked for it. If not,
/// `by` lost its processor meanwhile.
#[cold]
fn had_been_taken(by: &Thread, hold: &Hold, since: u64) -> bool {
    // It is not known what an untimed stretch hides, nor for which thread an ordered region waits.
    let untold = |other: &Thread| other.account.is_untimed() || other.account.untimed()[0] > 0;
    let had = |other: &Thread| other.holding.may_have_had(hold.wait_id, since) || untold(other);
    is_ordered(hold.key[1]) || thread::all().any(|other| !core::ptr::eq(other, by) && had(other))
}

/// Books that a mutex is released.
#[inline]
pub fn released(event: Mutex<'_>) {
    let release = |owner: &mut Owner, now: u64| {
        let thread = owner.thread();
        let holds = &mut owner.stack().holds;
        let own = thread.holding.give(event.wait_id, now);
        if let Some(at) = holds.iter().rposition(|hold| hold.wait_id == event.wait_id) {
            let hold = holds.remove(at);
            let held = now.saturating_sub(hold.since);
            let entry = thread.mutexes.entry_of(hold.key);
            entry.add(site::HOLD, held);
            entry.add(site::RECENT_HOLD, held);
        } else if own.is_none()
            && let Some((key, held)) =
                thread::all().find_map(|other| other.holding.give(event.wait_id, now))
        {
            // Another thread had acquired it.
            thread.mutexes.entry(key).add(site::HOLD, held);
        }
    };
    on_busy_thread(|_| (), release);
}

/// Books that the owner of a nest lock takes it again: it already had what it asked for.
#[inline]
pub fn nest_lock(event: NestLock<'_>) {
    if event.endpoint == Endpoint::Begin {
        let keep = |owner: &mut Owner, now: u64| {
            let asked = owner.stack().asking.take();
            if let Some(before) = asked.and_then(|asked| asked.before) {
                owner.books().switch(before, now);
            }
        };
        on_busy_thread(|_| (), keep);
    }
}
