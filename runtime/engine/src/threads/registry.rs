//! All threads that OpenMP knows: their numbers, the idle workers, the records that wait for a
//! thread.
//!
//! One lock guards the lists. It is only taken when threads come, go or change teams.

use crate::records::{Team, Thread};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use omphalos_events::ThreadKind;
use omphalos_settings::{Helpers, settings};
use omphalos_sync::process_lock::{ProcessLock, rank};
use omphalos_sys::thread::Key;
use std::collections::VecDeque;

/// The lists behind the lock.
pub struct Lists {
    /// Every record ever made, by thread number.
    pub all: Vec<&'static Thread>,
    /// The next thread's number, unless it is a helper's.
    next_number: i32,
    /// The records of initial threads that ended. The next initial thread takes one.
    pub free: Vec<&'static Thread>,
    /// The records of initial threads that ended while tasks were counted in them. Only events can
    /// complete these tasks, and no thread takes such a record before that.
    pub owing: VecDeque<&'static Thread>,
    /// The workers without a team, which wait at their gates.
    pub idle: Vec<&'static Thread>,
    /// The records of workers that ended or could not start. The next worker takes one.
    pub ended: Vec<&'static Thread>,
    /// The records of hidden helper threads that could not start. The next helper with the same
    /// number takes the record.
    refused_helpers: Vec<&'static Thread>,
    /// The first thread's record, with its teams, made before the thread meets OpenMP.
    first: Option<&'static Thread>,
    /// The key whose destructor says farewell to threads of the program.
    pub(crate) farewell_key: Option<Key>,
    /// The number of threads of the program whose end the runtime will notice
    /// (`process/holders.rs`).
    pub(crate) holders: usize,
    /// The key whose destructor makes a thread's record forget the thread's words
    /// (`process/unwatched.rs`).
    pub(crate) end_key: Option<Key>,
}

static LISTS: ProcessLock<Lists, { rank::THREADS }> = ProcessLock::new(Lists {
    all: Vec::new(),
    next_number: 0,
    free: Vec::new(),
    owing: VecDeque::new(),
    idle: Vec::new(),
    ended: Vec::new(),
    refused_helpers: Vec::new(),
    first: None,
    farewell_key: None,
    holders: 0,
    end_key: None,
});
/// The number of live OpenMP threads of the process, for `KMP_DEVICE_THREAD_LIMIT` and for the spin
/// budgets.
pub(crate) static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The latest record, which leads to all others. For debuggers.
pub(crate) static NEWEST: AtomicPtr<Thread> = AtomicPtr::new(core::ptr::null_mut());

/// The records of the first thread numbers, for [`with_number`].
static NUMBERED: [AtomicPtr<Thread>; 256] = [const { AtomicPtr::new(core::ptr::null_mut()) }; 256];

/// Returns the record that has, or had last, this thread number. Takes no lock if the number is
/// small.
pub(crate) fn with_number(number: i32) -> Option<&'static Thread> {
    if let Some(record) = NUMBERED.get(number as usize) {
        // SAFETY: records are never freed.
        return unsafe { record.load(Ordering::Acquire).as_ref() };
    }
    with(|lists| lists.all.iter().rfind(|thread| thread.gtid == number).copied())
}

/// Notes a record. `lists` is locked.
fn note(lists: &mut Lists, thread: &'static Thread) {
    lists.all.push(thread);
    let known = core::ptr::from_ref(thread).cast_mut();
    thread.known_before.store(NEWEST.load(Ordering::Relaxed), Ordering::Relaxed);
    NEWEST.store(known, Ordering::Release);
    if let Some(record) = NUMBERED.get(thread.gtid as usize) {
        record.store(core::ptr::from_ref(thread).cast_mut(), Ordering::Release);
    }
}

/// Runs `f` with the lists locked. A thread must not call this inside `f`.
pub fn with<R>(f: impl FnOnce(&mut Lists) -> R) -> R {
    LISTS.with(f)
}

/// Returns how many OpenMP threads live.
pub fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Takes the idle worker for `serves` that became idle last. `lists` is locked.
pub(crate) fn idle(lists: &mut Lists, serves: u8) -> Option<&'static Thread> {
    let at = lists.idle.iter().rposition(|thread| thread.serves.get() == serves)?;
    Some(lists.idle.remove(at))
}

/// Makes a record with the next number. `lists` is locked.
pub(crate) fn enrol(lists: &mut Lists, kind: ThreadKind) -> &'static Thread {
    let number = next_number(lists);
    let row = row_behind_helpers(number);
    let thread = lists.first.take().unwrap_or_else(|| make(number, row as i32, row));
    thread.kind.set(thread.as_owner(), kind);
    if matches!(kind, ThreadKind::Worker) {
        Team::outside(thread);
    }
    note(lists, thread);
    LIVE.fetch_add(1, Ordering::Relaxed);
    thread
}

/// Returns the next thread number. Numbers begin at 0; after the first thread's come those of
/// hidden helper threads.
fn next_number(lists: &mut Lists) -> i32 {
    if lists.next_number == 1 {
        lists.next_number += settings().helpers.last_number() as i32;
    }
    let number = lists.next_number;
    lists.next_number += 1;
    number
}

/// Makes the record of hidden helper thread `number`. It counts for no limit. `lists` is locked.
pub(crate) fn enrol_helper(lists: &mut Lists, number: i32) -> &'static Thread {
    if let Some(at) = lists.refused_helpers.iter().position(|known| known.gtid == number) {
        let thread = lists.refused_helpers.swap_remove(at);
        thread.kind.set(thread.as_owner(), ThreadKind::Worker);
        return thread;
    }
    let shown = Helpers::FIRST_NUMBER as i32 - 1 - number;
    let thread = make(number, shown, LAST_ROW - number as u32);
    // A forked child may have a record with this number whose thread is gone: the new ids follow
    // that record's.
    if let Some(former) = lists.all.iter().rfind(|known| known.gtid == number) {
        thread.continue_ids(former);
    }
    thread.kind.set(thread.as_owner(), ThreadKind::Worker);
    Team::outside(thread);
    note(lists, thread);
    thread
}

/// Takes back the record of a helper that could not be started. `lists` is locked.
pub(crate) fn forget_helper(lists: &mut Lists, thread: &'static Thread) {
    thread.kind.set(thread.as_owner(), ThreadKind::Unknown);
    lists.refused_helpers.push(thread);
}

/// The last row of ids (`Thread::new`). Helpers have the rows from this one downwards. No process
/// has so many threads that they would need these rows.
const LAST_ROW: u32 = (1 << 22) - 2;

/// Returns the row of ids of a thread that is no helper. Rows leave no gap for helpers' numbers:
/// tools take small ids for those of the first threads.
fn row_behind_helpers(number: i32) -> u32 {
    let behind = if number == 0 { 0 } else { settings().helpers.last_number() };
    number as u32 - behind
}

fn make(gtid: i32, number: i32, row: u32) -> &'static Thread {
    let mut thread = Thread::new(gtid, row, ThreadKind::Unknown);
    thread.number = number;
    Box::leak(Box::new(thread))
}

/// Whether any record was made.
pub(crate) fn has_records() -> bool {
    with(|lists| !lists.all.is_empty() || lists.first.is_some())
}

/// Takes back the enrolment of a thread that could not start: the next worker gets its record.
/// `lists` is locked.
pub(crate) fn never_started(lists: &mut Lists, thread: &'static Thread) {
    LIVE.fetch_sub(1, Ordering::Relaxed);
    thread.kind.set(thread.as_owner(), ThreadKind::Unknown);
    lists.ended.push(thread);
}

/// Takes the record of a worker that ended, for a new one. `lists` is locked.
pub(crate) fn take_free(lists: &mut Lists) -> Option<&'static Thread> {
    let thread = lists.ended.pop()?;
    thread.farewells.store(0, Ordering::Relaxed);
    LIVE.fetch_add(1, Ordering::Relaxed);
    thread.kind.set(thread.as_owner(), ThreadKind::Worker);
    thread.place.set(thread.as_owner(), -1);
    Some(thread)
}

/// Empties the lists in a forked child: no worker is idle, and no record waits for a thread. Calls
/// `each` with all records.
pub(crate) fn after_fork_in_child(lists: &mut Lists, each: impl Fn(&'static Thread)) {
    lists.all.iter().copied().for_each(each);
    lists.idle.clear();
    lists.free.clear();
    lists.owing.clear();
    lists.ended.clear();
    lists.holders = 0;
}

/// Sets, in a forked child, the number of threads that are left.
pub(crate) fn are_left(threads: usize) {
    LIVE.store(threads, Ordering::Relaxed);
}

/// Takes the record of an initial thread that ended and counts it again, or makes a new one.
/// `lists` is locked.
pub(crate) fn initial(lists: &mut Lists) -> &'static Thread {
    match lists.free.pop() {
        Some(thread) => {
            LIVE.fetch_add(1, Ordering::Relaxed);
            thread
        }
        None => enrol(lists, ThreadKind::Initial),
    }
}

/// Counts one thread less. `lists` is locked.
pub(crate) fn one_less(_lists: &mut Lists) {
    LIVE.fetch_sub(1, Ordering::Relaxed);
}

/// Makes the first thread's record, with the teams that it will need, before the thread meets
/// OpenMP. `lists` is locked.
pub(crate) fn prepare(lists: &mut Lists) {
    if lists.all.is_empty() && lists.first.is_none() {
        let thread = make(0, 0, 0);
        Team::prepare(thread);
        lists.all.reserve(16);
        lists.first = Some(thread);
    }
}
