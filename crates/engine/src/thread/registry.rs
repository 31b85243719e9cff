//! All threads that OpenMP knows: numbering, first contact, farewell, the idle workers.
//!
//! One lock guards the lists; it is only taken when threads come, go or change crews.

use super::{main_thread, reserve, unwatched};
use crate::records::{Team, Thread, summons};
use crate::team::crowd;
use crate::{hooks, tasks};
use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use omphalos_events::{State, ThreadKind};
use omphalos_settings::settings;
use omphalos_sync::process_lock::{ProcessLock, rank};
use omphalos_sys::signals::Blocked;
use omphalos_sys::thread::Key;

/// The lists behind the lock.
pub struct Lists {
    /// Every record ever made, by thread number.
    pub all: Vec<&'static Thread>,
    /// The next thread's number, unless it is a helper's.
    next_number: i32,
    /// Records of initial threads that ended: the next newcomer takes one.
    pub free: Vec<&'static Thread>,
    /// Workers without a crew, waiting at their gates.
    pub idle: Vec<&'static Thread>,
    /// Records of workers that ended or could not be started: the next worker takes one.
    pub ended: Vec<&'static Thread>,
    /// Records of hidden helper threads that could not be started: the next one of the number takes it.
    refused_helpers: Vec<&'static Thread>,
    /// The record that the first thread will have, with its teams, made before it was needed.
    first: Option<&'static Thread>,
    /// The key whose destructor says farewell to threads of the program.
    pub(super) farewell_key: Option<Key>,
    /// Threads of the program whose end is heard of (`reserve.rs`).
    pub(super) holders: usize,
    /// The key whose destructor takes back a thread's unwatched word.
    pub(super) end_key: Option<Key>,
}

static LISTS: ProcessLock<Lists, { rank::THREADS }> = ProcessLock::new(Lists {
    all: Vec::new(),
    next_number: 0,
    free: Vec::new(),
    idle: Vec::new(),
    ended: Vec::new(),
    refused_helpers: Vec::new(),
    first: None,
    farewell_key: None,
    holders: 0,
    end_key: None,
});
/// Live OpenMP threads of the process, for `thread-limit-var` and for the spin budgets.
pub(crate) static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The latest of all records, which leads to the others: for who looks from outside.
pub(crate) static NEWEST: AtomicPtr<Thread> = AtomicPtr::new(core::ptr::null_mut());

/// The records of the first thread numbers, for [`with_number`].
static NUMBERED: [AtomicPtr<Thread>; 256] = [const { AtomicPtr::new(core::ptr::null_mut()) }; 256];

/// The record that has, or had last, this thread number. No lock where the number is small.
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

/// Runs `f` with the lists locked. Must not be entered twice by one thread.
pub fn with<R>(f: impl FnOnce(&mut Lists) -> R) -> R {
    LISTS.with(f)
}

/// How many OpenMP threads live.
pub fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Makes a record with the next number. `lists` is locked.
pub(crate) fn enrol(lists: &mut Lists, kind: ThreadKind) -> &'static Thread {
    let number = next_number(lists);
    let row = row_behind_helpers(number);
    let thread = lists.first.take().unwrap_or_else(|| make(number, row));
    thread.kind.set(kind);
    if matches!(kind, ThreadKind::Worker) {
        Team::outside(thread);
    }
    note(lists, thread);
    LIVE.fetch_add(1, Ordering::Relaxed);
    thread
}

/// From 0 on; behind the first thread's stand those of hidden helper threads.
fn next_number(lists: &mut Lists) -> i32 {
    if lists.next_number == 1 {
        lists.next_number += settings().helpers.last_number() as i32;
    }
    let number = lists.next_number;
    lists.next_number += 1;
    number
}

/// Makes the record of hidden helper thread `number`. It counts for no limit. `lists` is locked.
pub(super) fn enrol_helper(lists: &mut Lists, number: i32) -> &'static Thread {
    if let Some(at) = lists.refused_helpers.iter().position(|known| known.gtid == number) {
        let thread = lists.refused_helpers.swap_remove(at);
        thread.kind.set(ThreadKind::Worker);
        return thread;
    }
    let thread = make(number, LAST_ROW - number as u32);
    // A forked child may have one of this number that is no more: ids go on behind that one's.
    if let Some(former) = lists.all.iter().rfind(|known| known.gtid == number) {
        thread.continue_ids(former);
    }
    thread.kind.set(ThreadKind::Worker);
    Team::outside(thread);
    note(lists, thread);
    thread
}

/// Takes back the record of a helper that could not be started. `lists` is locked.
pub(super) fn forget_helper(lists: &mut Lists, thread: &'static Thread) {
    thread.kind.set(ThreadKind::Unknown);
    lists.refused_helpers.push(thread);
}

/// The last row of ids (`Thread::new`). Helpers have those from here down; no process has as many threads.
const LAST_ROW: u32 = (1 << 22) - 2;

/// The row of ids of a thread that is no helper: rows follow each other without a gap where helpers' numbers
/// are, since tools take small ids for those of the first threads.
fn row_behind_helpers(number: i32) -> u32 {
    let behind = if number == 0 { 0 } else { settings().helpers.last_number() };
    number as u32 - behind
}

fn make(number: i32, row: u32) -> &'static Thread {
    Box::leak(Box::new(Thread::new(number, row, ThreadKind::Unknown)))
}

/// Whether any record was made.
pub(crate) fn has_records() -> bool {
    with(|lists| !lists.all.is_empty() || lists.first.is_some())
}

/// Makes the record of the first thread to come, and the teams of its initial task and of its first
/// region: for the library's constructor.
pub(crate) fn prepare() {
    with(|lists| {
        if lists.all.is_empty() && lists.first.is_none() {
            let thread = make(0, 0);
            Team::prepare(thread);
            lists.all.reserve(16);
            lists.first = Some(thread);
        }
        if omphalos_sys::thread::alone() || omphalos_sys::thread::is_main() {
            reserve::hear_of_end(lists, None);
        }
    });
    main_thread::note();
}

/// Takes back the enrolment of a thread that could not be started: the next worker has its record. `lists` is locked.
pub(crate) fn never_started(lists: &mut Lists, thread: &'static Thread) {
    LIVE.fetch_sub(1, Ordering::Relaxed);
    thread.kind.set(ThreadKind::Unknown);
    lists.ended.push(thread);
}

/// First contact: the calling thread, which the program made, becomes an initial thread with an
/// initial team of one and an initial task.
///
/// No signal is handled meanwhile: a handler that asks OpenMP anything would come here once more, for the same thread,
/// and wait for what the thread holds. Tools start, and hear of the thread, with the thread's own mask again.
#[cold]
#[inline(never)]
pub fn welcome() -> &'static Thread {
    let blocked = Blocked::new();
    // A handler was quicker.
    if let Some(thread) = Thread::known() {
        return thread;
    }
    crate::start::ensure_settings();
    let (thread, first) = with(|lists| {
        let first = lists.all.is_empty();
        let kind = ThreadKind::Initial;
        let thread = match lists.free.pop() {
            Some(thread) => {
                LIVE.fetch_add(1, Ordering::Relaxed);
                thread
            }
            None => enrol(lists, kind),
        };
        thread.kind.set(kind);
        (thread, first)
    });
    thread.is_callers();
    crowd::initial_thread_comes();
    let main = main_thread::is_calling();
    Team::make_initial(thread);
    // SAFETY: records are never freed.
    unsafe { omphalos_sys::tls::set_record(core::ptr::from_ref(thread).cast_mut().cast()) };
    with(|lists| reserve::hear_of_end(lists, Some(thread)));
    crate::affinity::welcome(thread, first);
    crate::start::ensure_started(blocked);
    thread.set_state(State::WORK_SERIAL);
    unwatched::allow(thread, main);
    hooks::initial_thread_begin(thread);
    omphalos_sys::debugger::thread_begin();
    thread
}

/// The calling thread, which the program made, ends.
pub(super) extern "C" fn farewell(record: *mut c_void) {
    match Thread::known() {
        Some(thread) if core::ptr::eq(thread, record.cast_const().cast()) => {
            tasks::finish_left_to_others(thread);
            take_leave(thread);
        }
        // The main thread, which OpenMP never met.
        _ => {
            let _blocked = Blocked::new();
            with(|lists| {
                lists.holders = lists.holders.saturating_sub(1);
                reserve::holder_left(lists)
            })
            .end();
        }
    }
}

/// The calling thread, which had this record, is none that the program made, or ends: its workers are given up, its record
/// waits for the next newcomer.
fn take_leave(thread: &'static Thread) {
    if thread.kind.get() != ThreadKind::Worker {
        omphalos_sys::debugger::thread_end();
        hooks::initial_thread_end(thread);
    }
    crate::threadprivate::thread_ends(thread);
    // From here on a handler would find no record, and want one.
    let _blocked = Blocked::new();
    let is_current = Thread::known().is_some_and(|current| core::ptr::eq(current, thread));
    if is_current {
        // Before the record may be another thread's.
        // SAFETY: no record from here on.
        unsafe { omphalos_sys::tls::set_record(core::ptr::null_mut()) };
    }
    let leavers = with(|lists| {
        // A thread that leaves inside a region leaves its team where it is, and what points to it.
        if thread.depth.get() <= 1 {
            dismiss_teams(lists, thread);
            lists.free.push(thread);
        }
        LIVE.fetch_sub(1, Ordering::Relaxed);
        unwatched::give_up(lists, thread);
        thread.is_nobodys();
        thread.kind.set(ThreadKind::Unknown);
        if is_current {
            lists.holders = lists.holders.saturating_sub(1);
        } else {
            reserve::forget_end(lists);
        }
        reserve::holder_left(lists)
    });
    crowd::initial_thread_goes();
    leavers.end();
}

/// A signal handler that came before a worker had its record took it for a thread of the program. The worker, which
/// has its own now, gives back what it got then.
#[cold]
pub(super) fn take_back(mistaken: &'static Thread) {
    take_leave(mistaken);
}

/// The workers of a thread that is in no region become idle. `lists` is locked.
fn dismiss_teams(lists: &mut Lists, thread: &'static Thread) {
    // SAFETY: the owner is the calling thread, and no region of its runs any more.
    for &team in unsafe { &*thread.hot_teams.get() } {
        // SAFETY: teams are never freed; this thread is their primary.
        unsafe { &*team }.dismiss(lists);
    }
}

/// Ends the calling thread's workers and all idle ones (`omp_pause_resource`); the next region hires
/// new ones. The calling thread must be in no region.
pub fn end_workers(thread: &'static Thread) {
    let idle = with(|lists| {
        dismiss_teams(lists, thread);
        core::mem::take(&mut lists.idle)
    });
    reserve::end(idle);
}

/// A worker that was dismissed for good is about to end; its own workers are given up.
pub(super) fn worker_ends(thread: &'static Thread) {
    omphalos_sys::debugger::thread_end();
    super::ending::say_farewell_to(thread, super::ending::ALL);
    crate::threadprivate::thread_ends(thread);
    // As in `take_leave`.
    let _blocked = Blocked::new();
    // SAFETY: no record from here on: another thread may have it at once.
    unsafe { omphalos_sys::tls::set_record(core::ptr::null_mut()) };
    let surplus = with(|lists| {
        dismiss_teams(lists, thread);
        unwatched::give_up(lists, thread);
        thread.is_nobodys();
        thread.kind.set(ThreadKind::Unknown);
        thread.summons.store(summons::NONE, Ordering::Relaxed);
        thread.first_order.set(thread.line.gate.seen());
        // A helper's number is no other worker's.
        if !thread.is_helper() {
            LIVE.fetch_sub(1, Ordering::Relaxed);
            lists.ended.push(thread);
        }
        reserve::surplus(lists)
    });
    reserve::end(surplus);
}

/// The record of a worker that ended, for a new one. `lists` is locked.
pub(super) fn again(lists: &mut Lists) -> Option<&'static Thread> {
    let thread = lists.ended.pop()?;
    thread.farewells.store(0, Ordering::Relaxed);
    LIVE.fetch_add(1, Ordering::Relaxed);
    thread.kind.set(ThreadKind::Worker);
    thread.place.set(-1);
    Some(thread)
}

/// In a forked child: only the calling thread lives on.
pub(crate) fn after_fork_in_child() {
    let mut lists = LISTS.lock();
    for thread in &lists.all {
        if Thread::known().is_none_or(|own| !core::ptr::eq(own, *thread)) {
            thread.kind.set(ThreadKind::Unknown);
            thread.is_nobodys();
            unwatched::forget(thread);
        } else {
            // The kernel has another number for it here.
            thread.is_callers();
        }
    }
    main_thread::forget();
    lists.idle.clear();
    lists.free.clear();
    lists.ended.clear();
    // The calling thread, whatever it was, is all that is left of the program.
    reserve::forget_end(&mut lists);
    lists.holders = 0;
    reserve::hear_of_end(&mut lists, Thread::known());
    let left = u32::from(Thread::known().is_some());
    LIVE.store(left as usize, Ordering::Relaxed);
    crowd::after_fork_in_child(left);
}
