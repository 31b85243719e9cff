//! The totals of the whole process: every thread's counters and the sums of all threads' sites,
//! written as one block once to four times a second and at the end.
//!
//! A reader takes the last record of a key, so one writer sums over the threads. What must hold:
//! whoever holds `BUSY` owns the working memory; a second one just goes away, for totals will be
//! written again. Everything here runs in a signal handler: the memory is made beforehand, sites
//! that do not fit are left out until a callback has made more room ([`make_room`]).

mod records;

use crate::accounting::construct::{self, ConstructTable};
use crate::accounting::mutex::{CONTENDED_NS, open_wait};
use crate::accounting::region::{self, RegionTable};
use crate::accounting::sites::{self, CallTable, MutexTable, TaskTable, call as call_site};
use crate::accounting::table::Table;
use crate::accounting::{Class, Counters, sched};
use crate::clock::{self, ns};
use crate::stream;
use crate::thread::{self, Thread};
use core::cell::UnsafeCell;
use core::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use omphalos_profile_format::{
    CallTotal, ChunkWriter, PROCESS_CHUNK, Record, ThreadSampling, ThreadScheduling, ThreadTotal,
};

/// Time between two blocks, ns: so much for each [`SMALL`] parts of the last one, and at the most
/// four times that.
const EVERY: u64 = 250_000_000;
/// Threads and sites of a block that may be written at the highest rate: with some 60 bytes for
/// each half a megabyte a minute.
const SMALL: usize = 32;

/// What an event costs that is counted only, and the runtime's longer way where a tool is attached,
/// ns.
const COUNTED: u64 = 12;

/// What a task costs that the runtime counts, over one without a tool, ns.
const UNTOLD: u64 = 4;

struct Work {
    regions: RegionTable,
    mutexes: MutexTable,
    tasks: TaskTable,
    constructs: ConstructTable,
    calls: CallTable,
    buffer: &'static mut [u8],
    length: usize,
}

struct Shared(UnsafeCell<Option<Work>>);

// SAFETY: only the holder of `BUSY` touches it.
unsafe impl Sync for Shared {}

static WORK: Shared = Shared(UnsafeCell::new(None));
static BUSY: AtomicBool = AtomicBool::new(false);
static NEXT: AtomicU64 = AtomicU64::new(0);
static FULL: AtomicBool = AtomicBool::new(false);

fn with_work<R>(use_it: impl FnOnce(&mut Option<Work>) -> R) -> Option<R> {
    if BUSY.compare_exchange(false, true, Acquire, Relaxed).is_err() {
        return None;
    }
    // SAFETY: `BUSY` is ours.
    let result = use_it(unsafe { &mut *WORK.0.get() });
    BUSY.store(false, Release);
    Some(result)
}

/// Makes the working memory.
pub fn start(now: u64) {
    NEXT.store(now + clock::in_ticks(EVERY), Relaxed);
    with_work(|work| {
        *work = Some(Work {
            regions: Table::new(1024),
            mutexes: Table::new(2048),
            tasks: Table::new(512),
            constructs: Table::new(1024),
            calls: Table::new(1024),
            // SAFETY: bytes.
            buffer: unsafe { crate::memory::zeroed(1 << 16) },
            length: 0,
        });
    });
}

/// In a forked child nobody else can hold the memory.
pub fn reset_in_child(now: u64) {
    BUSY.store(false, Relaxed);
    NEXT.store(now + clock::in_ticks(EVERY), Relaxed);
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
    let wanted = |count: fn(&Thread) -> usize| thread::all().map(count).sum::<usize>() * 2 + 64;
    with_work(|work| {
        let Some(work) = work else { return };
        work.regions = Table::new(wanted(|thread| thread.regions.count()).max(1024));
        work.mutexes = Table::new(wanted(|thread| thread.mutexes.count()).max(2048));
        work.tasks = Table::new(wanted(|thread| thread.tasks.count()).max(512));
        work.constructs = Table::new(wanted(|thread| thread.constructs.count()).max(1024));
        FULL.store(false, Relaxed);
    });
}

/// Writes the totals if it is time. Async-signal-safe.
#[inline]
pub fn write_if_due(now: u64) {
    if now >= NEXT.load(Relaxed) && stream::is_open() {
        NEXT.store(u64::MAX, Relaxed);
        clock::refine();
        let parts = write(now);
        let pause = EVERY * (parts / SMALL + 1).min(4) as u64;
        NEXT.store(now + clock::in_ticks(pause), Relaxed);
    }
}

/// Writes the totals as of `now`; says of how many threads and sites. Async-signal-safe.
pub fn write(now: u64) -> usize {
    let written = with_work(|work| {
        let Some(work) = work else { return 0 };
        work.sum(now);
        let mut threads = 0;
        for thread in thread::all().filter(|thread| thread.was_used()) {
            threads += 1;
            work.push(total_of(thread, now).into());
            if let Some(record) = sampling_of(thread) {
                work.push(record.into());
            }
            if thread.alive.load(Relaxed)
                && let Some(record) = scheduling_of(thread, now)
            {
                work.push(record.into());
            }
        }
        work.push_sites();
        work.flush();
        threads
            + work.regions.count()
            + work.mutexes.count()
            + work.tasks.count()
            + work.constructs.count()
            + work.calls.count()
    });
    written.unwrap_or(0)
}

/// As [`write()`], with room for every site. Allocates; for the end.
pub fn write_all(now: u64) {
    grow();
    write(now);
}

/// One thread's total. Async-signal-safe.
pub fn total_of(thread: &Thread, now: u64) -> ThreadTotal {
    let last = thread.last_moment(now);
    let counters: Counters = thread.account.counters_at(last);
    let [_, events, untold] = thread.account.untimed();
    let of = |class| ns(counters.class(class));
    let classes = [
        of(Class::Work),
        of(Class::Idle),
        of(Class::Barrier),
        of(Class::Mutex),
        of(Class::TaskWait),
        of(Class::Overhead),
        of(Class::Serial),
    ];
    let [work, idle, barrier_wait, mutex_wait, task_wait, overhead, serial_work] = classes;
    ThreadTotal {
        thread: thread.index.load(Relaxed),
        time: clock::moment(last),
        alive: classes.iter().sum(),
        work,
        idle,
        barrier_wait,
        mutex_wait,
        task_wait,
        overhead,
        serial_work,
        samples: thread.samples.load(Relaxed),
        missed: thread.missed.load(Relaxed),
        agent: thread.cost.total() + events * COUNTED + untold * UNTOLD,
    }
}

/// How much of a thread's time is not timed event by event. Async-signal-safe.
pub fn sampling_of(thread: &Thread) -> Option<ThreadSampling> {
    let untimed = ns(thread.account.untimed()[0]);
    (untimed > 0).then(|| ThreadSampling { thread: thread.index.load(Relaxed), untimed })
}

/// What the system knows of a thread that has not ended. Async-signal-safe.
pub fn scheduling_of(thread: &Thread, now: u64) -> Option<ThreadScheduling> {
    let times = sched::of_thread(thread.os_tid.load(Relaxed))?;
    let since = |at: usize| times[at].saturating_sub(thread.scheduled[at].load(Relaxed));
    let [work, serial] = thread.blocked_at(now).map(ns);
    Some(ThreadScheduling {
        thread: thread.index.load(Relaxed),
        running: since(0),
        runnable: since(1),
        blocked_work: work,
        blocked_serial: serial,
    })
}

fn merge<const N: usize>(into: &Table<N>, from: &Table<N>, largest: &[usize]) {
    for entry in from.iter() {
        let Some(sum) = into.find_or_add(entry.key()) else {
            FULL.store(true, Relaxed);
            return;
        };
        for (at, value) in entry.read().into_iter().enumerate() {
            if largest.contains(&at) { sum.raise(at, value) } else { sum.add(at, value) }
        }
    }
}

impl Work {
    fn sum(&mut self, now: u64) {
        self.regions.clear();
        self.mutexes.clear();
        self.tasks.clear();
        self.constructs.clear();
        self.calls.clear();
        for thread in thread::all() {
            merge(&self.calls, &thread.calls, &[call_site::LONGEST]);
            merge(&self.regions, &thread.regions, &[]);
            merge(&self.mutexes, &thread.mutexes, &[sites::mutex::LONGEST, sites::mutex::REGION]);
            // Each thread knows the same end of a construct, or none yet.
            merge(
                &self.constructs,
                &thread.constructs,
                &[construct::site::END, construct::site::AFTER],
            );
            merge(&self.tasks, &thread.tasks, &[sites::task::SHORTEST, sites::task::LONGEST]);
            if thread.alive.load(Relaxed) {
                self.add_open(thread, now);
            }
        }
        for region in region::all() {
            region.add_open(&self.regions, now);
        }
    }

    /// What the thread waits for has not come, and may never come.
    fn add_open(&self, thread: &Thread, now: u64) {
        if let Some((site, time)) = open_wait(thread, now)
            && ns(time) > CONTENDED_NS
            && let Some(entry) = self.mutexes.find_or_add(site)
        {
            // It is one that was asked for, so that no more had to wait than there were.
            entry.add(sites::mutex::ACQUISITIONS, 1);
            entry.add(sites::mutex::TIMED, 1);
            entry.add(sites::mutex::CONTENDED, 1);
            entry.add(sites::mutex::WAIT, time);
            entry.raise(sites::mutex::LONGEST, time);
        }
        if let Some(call) = thread.mark.call().filter(|call| call.only_waits) {
            let (begin, region) = (thread.mark.since(), thread.place.codeptr.load(Relaxed));
            let region = if thread.account.class() == Class::Work { region } else { 0 };
            let key = [core::ptr::from_ref(call).addr() as u64, region, 0];
            if let Some(entry) = self.calls.find_or_add(key) {
                let time = now.saturating_sub(begin);
                entry.add(call_site::COUNT, 1);
                entry.add(call_site::BLOCKED, time);
                entry.add(call_site::ELAPSED, time);
                entry.raise(call_site::LONGEST, time);
            }
        }
    }

    fn push_sites(&mut self) {
        let Work { regions, mutexes, tasks, constructs, calls, buffer, length } = self;
        let totals =
            constructs.iter().map(|entry| records::of_construct(entry.key(), &entry.read()));
        totals.for_each(|record| push(buffer, length, record.into()));
        for entry in calls.iter() {
            let [call, codeptr_ra, _] = entry.key();
            // SAFETY: keys of this table are made of the addresses of statics.
            let call = unsafe { &*(call as *const crate::mark::Call) };
            let values = entry.read();
            let total = CallTotal {
                codeptr_ra,
                count: values[call_site::COUNT],
                blocked: ns(values[call_site::BLOCKED]),
                elapsed: ns(values[call_site::ELAPSED]),
                longest: ns(values[call_site::LONGEST]),
                call: call.name.to_bytes(),
            };
            push(buffer, length, total.into());
        }
        let sites = regions.iter().map(|entry| records::of_region(entry.key(), &entry.read()));
        sites.for_each(|record| push(buffer, length, record.into()));
        for entry in mutexes.iter() {
            let (total, sampling) = records::of_mutex(entry.key(), &entry.read());
            push(buffer, length, total.into());
            if let Some(place) = records::place_of_mutex(entry.key(), &entry.read()) {
                push(buffer, length, place.into());
            }
            sampling.into_iter().for_each(|record| push(buffer, length, record.into()));
        }
        for entry in tasks.iter() {
            let (total, sampling) = records::of_task(entry.key(), &entry.read());
            push(buffer, length, total.into());
            sampling.into_iter().for_each(|record| push(buffer, length, record.into()));
        }
    }

    fn push(&mut self, record: Record<'_>) {
        push(self.buffer, &mut self.length, record);
    }

    fn flush(&mut self) {
        stream::write(ChunkWriter::resume(self.buffer, self.length).seal(PROCESS_CHUNK));
        self.length = 0;
    }
}

fn push(buffer: &mut [u8], length: &mut usize, record: Record<'_>) {
    for _ in 0..2 {
        let mut writer = ChunkWriter::resume(buffer, *length);
        if writer.push(record).is_ok() {
            *length = writer.length();
            return;
        }
        stream::write(writer.seal(PROCESS_CHUNK));
        *length = 0;
    }
}
