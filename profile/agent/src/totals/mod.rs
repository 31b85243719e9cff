//! The totals of the whole process: every thread's counters and the sums of all threads' sites,
//! written as one block four times a second, less often where it is large, and at the end.
//!
//! A reader takes the last record of a key, so one writer sums over the threads.
//!
//! What must hold: the holder of `BUSY` owns the working memory; a second writer just leaves,
//! because totals will be written again. Everything here runs in a signal handler: the memory is
//! made beforehand, and sites that do not fit are left out until the watcher has made more room
//! ([`make_room`]).

mod records;
mod still;
mod threads;
mod work;

use crate::clock::{self, ticks};
use crate::stream;
use crate::thread::{self, queued};
use crate::{counting, sched};
use core::cell::UnsafeCell;
use core::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use omphalos_profile_format::{ProcessTime, Processors};
use omphalos_sys::clock::{nanoseconds, process_nanoseconds};
use work::Work;

pub use threads::{mpi_of, queued_of, sampling_of, scheduling_of, total_of};

/// The time between two small blocks, ns. The next block comes later by as much for each [`SMALL`]
/// threads and sites of the last one, but not later than [`SELDOM`] times this.
const EVERY: u64 = 250_000_000;
const SELDOM: usize = 16;
/// The time before the first block, ns, which then doubles each time: for a program that crashes
/// soon, at least half of its run is known.
const FIRST: u64 = 25_000_000;
/// The number of threads and sites of a block that may be written at the highest rate. With about
/// 60 bytes for each, that is half a megabyte a minute.
const SMALL: usize = 32;
/// The time that the end of recording waits for others, ns.
pub const PATIENCE: u64 = 100_000_000;

struct Shared(UnsafeCell<Option<Work>>);

// SAFETY: only the holder of `BUSY` touches it.
unsafe impl Sync for Shared {}

static WORK: Shared = Shared(UnsafeCell::new(None));
static BUSY: AtomicBool = AtomicBool::new(false);
static NEXT: AtomicU64 = AtomicU64::new(0);
/// The time until the next block, ns, which begins with [`FIRST`].
static PAUSE: AtomicU64 = AtomicU64::new(FIRST);
static FULL: AtomicBool = AtomicBool::new(false);
/// The largest number of processors that the threads alive at one time could use together.
static USABLE: AtomicU32 = AtomicU32::new(0);
/// The time that the process had computed when the agent began, ns.
static COMPUTED: AtomicU64 = AtomicU64::new(0);

fn with_work<R>(use_it: impl FnOnce(&mut Option<Work>) -> R) -> Option<R> {
    if BUSY.compare_exchange(false, true, Acquire, Relaxed).is_err() {
        return None;
    }
    // SAFETY: this function holds `BUSY`.
    let result = use_it(unsafe { &mut *WORK.0.get() });
    BUSY.store(false, Release);
    Some(result)
}

/// Makes the working memory, unless it was made earlier.
pub fn start(now: u64) {
    COMPUTED.store(process_nanoseconds(), Relaxed);
    await_first(now);
    with_work(|work| work.get_or_insert_with(Work::new).reset());
}

/// Resets the state in a forked child, where no other thread can hold the memory.
pub fn reset_in_child(now: u64) {
    BUSY.store(false, Relaxed);
    begin_anew(now);
}

/// Begins anew: the recorded part begins at `now`.
pub fn begin_anew(now: u64) {
    USABLE.store(0, Relaxed);
    COMPUTED.store(process_nanoseconds(), Relaxed);
    await_first(now);
}

fn await_first(now: u64) {
    PAUSE.store(FIRST * 2, Relaxed);
    NEXT.store(now + clock::in_ticks(FIRST), Relaxed);
}

/// Makes more room if the last block left sites out. Allocates.
#[inline]
pub fn make_room() {
    if FULL.load(Relaxed) {
        grow();
    }
}

#[cold]
fn grow() {
    with_work(|work| {
        let Some(work) = work else { return };
        work.grow();
        FULL.store(false, Relaxed);
    });
}

/// Writes the totals if it is time. Async-signal-safe.
#[inline]
pub fn write_if_due(now: u64) {
    if now >= NEXT.load(Relaxed) && stream::is_open() {
        NEXT.store(u64::MAX, Relaxed);
        clock::refine();
        let parts = try_write(now).unwrap_or(0);
        let longest = EVERY * (parts / SMALL + 1).min(SELDOM) as u64;
        let pause = PAUSE.load(Relaxed).min(longest);
        PAUSE.store(pause * 2, Relaxed);
        NEXT.store(now + clock::in_ticks(pause), Relaxed);
    }
}

/// Finds out which processors the living threads may use. Async-signal-safe.
pub fn look_at_processors() {
    let mut processors = sched::Processors::default();
    for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
        processors.add(thread.os_tid.load(Relaxed));
    }
    USABLE.fetch_max(processors.count(), Relaxed);
}

/// Writes the totals at `now`, as the last ones of the process. Async-signal-safe.
pub fn write(now: u64) {
    write_last(now, || ());
}

/// Does what [`write()`] does, with room for every site. Allocates.
pub fn write_all(now: u64) {
    write_last(now, grow);
}

/// Writes the totals, and waits for another writer, if there is one. That may be the code which
/// this thread has interrupted, and which never ends.
fn write_last(now: u64, prepare: fn()) {
    let since = nanoseconds();
    loop {
        prepare();
        if try_write(now).is_some() || nanoseconds() - since >= PATIENCE {
            return;
        }
        omphalos_sys::thread::give_way();
    }
}

/// Writes the totals at `now`, and returns the number of threads and sites; `None` if another
/// writer is at it. Async-signal-safe.
fn try_write(now: u64) -> Option<usize> {
    with_work(|work| {
        let Some(work) = work else { return 0 };
        work.sum(now);
        put(work, now)
    })
}

/// Writes the sums and the threads' figures at `now`.
fn put(work: &mut Work, now: u64) -> usize {
    look_at_processors();
    let usable = USABLE.load(Relaxed);
    if usable > 0 {
        work.push(Processors { usable }.into());
    }
    let running = process_nanoseconds().saturating_sub(COMPUTED.load(Relaxed));
    work.push(ProcessTime { running }.into());
    if let Some(record) = counting::process_record() {
        work.push(record.into());
    }
    let mut threads = 0;
    for thread in thread::all().filter(|thread| thread.was_used()) {
        threads += 1;
        work.push(total_of(thread, now).into());
        if let Some(record) = sampling_of(thread) {
            work.push(record.into());
        }
        if let Some(record) = queued_of(thread) {
            work.push(record.into());
        }
        if let Some(record) = mpi_of(thread, now) {
            work.push(record.into());
        }
        if let Some(record) = threads::open_mpi_of(thread, now) {
            work.push(record.into());
        }
        if thread.alive.load(Relaxed) {
            work.push(scheduling_of(thread, now).into());
        }
    }
    work.push_sites();
    work.flush();
    threads + work.sites()
}

/// Does what [`write_all`] does. Returns the time of the totals. Each figure is of that moment, as
/// far as threads allow it ([`still`]).
pub fn write_surely() -> u64 {
    for _ in 0..10_000 {
        grow();
        let written = with_work(|work| {
            let work = work.as_mut()?;
            let now = still::sum(work);
            (put(work, now) > 0).then_some(now)
        });
        thread::all().for_each(queued::settled);
        if let Some(now) = written.flatten() {
            return now;
        }
        omphalos_sys::thread::give_way();
    }
    ticks()
}
