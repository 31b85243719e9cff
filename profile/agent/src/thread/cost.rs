//! The time that the agent takes from a thread, which the report's head shows.
//!
//! A look at the clock costs a third of a callback. So one callback in [`MEASURED`] has a second
//! look, and the others of its kind are taken to be alike; rare work is measured each time. Nothing
//! is added for the time around the two looks: the second one costs about as much, and the
//! processor does part of it meanwhile. On one thread (Intel Xeon, family 6, model 207; a look
//! takes 9.5 ns) a barrier's two callbacks add 60 to 73 ns to a program's time, and 63 are
//! measured; a region's six add 125 to 306, and 279 are measured.
//!
//! A cost is processor time: the thread's own, and that of others that wait the longer for it.
//!
//! With several threads, the cost of a callback differs from the time that it takes ([`SEVERAL`]).
//! At barriers each thread waits for the others' callbacks, and both wait for the cache lines that
//! go between them; constructs between barriers are partly like that. At a region's begin and end
//! each thread would wait for the others anyway while its own callbacks are at work.
//!
//! The thread's callbacks write this, and its handler where none is at work; other threads read.

use crate::clock::{self, in_ticks, in_ticks_fast, ns, ticks};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The kinds of callbacks, by their cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Regions, implicit tasks.
    Rare,
    /// Barriers.
    Barrier,
    /// Barriers of which little is to be booked (`tool::brief`).
    Plain,
    /// The barrier behind a single: only one thread was on the way to it.
    BehindSingle,
    /// The barrier that ends a single's copies, where the program calls it.
    BehindCopies,
    /// Barriers behind a reduction's combining, and those of the runtime's own: threads would wait
    /// for each other there anyway.
    Inner,
    /// Tasks, taskwaits, mutexes.
    Busy,
    /// Constructs in regions, which book no time of the account.
    Light,
}

const KINDS: usize = 8;

/// One of this many callbacks is measured. The low bits of the time choose it, so that no rhythm of
/// the program's always meets the same one.
const MEASURED: u64 = 16;
/// The number of low bits of a time in ticks above which the bits change from one callback to the
/// next on every processor.
const LOW_BITS: u32 = 4;
/// The mean before a callback was measured, ns.
const FIRST: u64 = 40;
/// A callback that takes this many times the mean was disturbed (by an interrupt, or another
/// program). Of 76,000 measured at barriers 99 % took less than twice the mean, and of 25,000 of
/// regions 88 %; 0.2 % were cut here, and with them 1 to 2 % of the time. Work that is dearer by
/// nature is booked by itself.
const OUTLIER: u64 = 4;
/// A callback that took longer than this, ns, lost its processor meanwhile: the rest is not the
/// agent's.
const LONGEST: u64 = 50_000;
/// By kind: the ratio of a callback's cost, where there are several threads, to the time that it
/// takes. Measured with two threads on the Xeon named above (model 207): barriers of 1 us added 1.8
/// to 2.6 times what their callbacks took, those behind a reduction 0.9 to 1.4, single 1.6 to 1.75,
/// sections 0.7 to 1.35, regions of 8 us 0.5 to 1.2. From build to build each differs by as much.
/// On one of model 167, with priority over other programs: barriers 1.6 to 1.9, the barrier behind
/// a single 2.9 to 3.6 (with the cost of its begin and end as above), those of a reduction by clang
/// less than half of the time of their callbacks.
const SEVERAL: [(u64, u64); KINDS] =
    [(9, 8), (13, 8), (13, 8), (3, 1), (1, 1), (1, 5), (1, 1), (5, 4)];
/// The same ratio on one thread. Regions of 8 and 10 us added 1.0 to 1.7 times what their callbacks
/// took: they are rare, and find the caches cold.
const ALONE: [(u64, u64); KINDS] = [(5, 4), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)];
/// The time that the kernel takes to call a handler and to return from it, ns.
const SIGNAL: u64 = 1500;
/// The cost of a chunk that is reported, ns: the runtime's longer way and the callback. On the Xeon
/// of model 167, tiny chunks take 1.0 to 1.8 on one thread. With two threads that take chunks from
/// one loop, the callback may take 100; but where chunks are tiny, the other thread takes the more
/// meanwhile, and the loop lasts hardly longer.
const CHUNK: u64 = 2;

/// The cost of the first chunk of a loop, or section, that a thread takes, ns: with two threads the
/// cache line that it is taken from comes back later. Measured on the same processor.
const FIRST_CHUNK: u64 = 50;

/// The cost of an event that is only counted, and of the runtime's longer way where a tool is
/// attached, ns.
const COUNTED: u64 = 12;
/// The same for a mutex, from the request to the release, ns: with one thread, and with several.
/// This is the cost where [`AT_ONCE`] or less lies between two acquisitions; the longer the
/// program's own code between them, the more of the cost it hides. For one of 64 locks on two
/// threads (AMD EPYC, family 25, model 17) acquisitions cost 31 ns more where they come every 61
/// ns, 25 every 85 ns, and 16 every 160 ns; on one thread 7 ns more every 13 ns.
const COUNTED_MUTEX: (u64, u64) = (7, 30);
/// The least cost of a mutex. On an Intel Xeon (family 6, model 167), 0.7 microseconds apart, free
/// locks and critical regions took 0 to 1.6 ns on one thread, and with several 2 to 8.
const LEAST_OF_MUTEX: (u64, u64) = (1, 5);
/// The time between two acquisitions below which they cost the most, ns.
const AT_ONCE: u64 = 90;
/// The number of events of a mutex that other runtimes report. Omphalos' runtime reports only that
/// it was acquired.
const EVENTS_OF_MUTEX: u64 = 3;
/// The additional cost of a task that the runtime counts, over one without a tool, tenths of ns. On
/// the Xeon of model 167, Fibonacci numbers: clang's tasks 1.3 ns on one thread and 1.5 on each of
/// two, gcc's tasks that may be queued 1.8. It differs by half of that from build to build.
const UNTOLD: u64 = 16;
/// The same where the runtime says that a tool makes a task's way much longer: gcc's tasks that
/// their maker executes at once, 3.4 ns, which are hardly more than calls without a tool.
const UNTOLD_LONGER: u64 = 34;

/// The cost of a thread's part in a region that the runtime adds up, with the longer way where a
/// tool is attached, ns. On an AMD EPYC (family 25, model 17) with two threads, each looks at the
/// clock twice, and the primary four times.
const SUMMED: u64 = 40;

/// Returns the cost of a mutex's events that are only counted, where `gap` ns lie between two
/// acquisitions.
fn of_mutex(gap: u64) -> u64 {
    let of_these = |(alone, several)| if is_alone() { alone } else { several };
    let most: u64 = of_these(COUNTED_MUTEX);
    (most * AT_ONCE / gap.max(AT_ONCE)).max(of_these(LEAST_OF_MUTEX))
}

/// Whether the process has had one thread only.
fn is_alone() -> bool {
    super::NEXT_INDEX.load(Relaxed) < 2
}

/// Adds to a counter that one thread writes.
#[inline]
pub(super) fn add(to: &AtomicU64, much: u64) {
    to.store(to.load(Relaxed) + much, Relaxed);
}

/// The agent's cost on one thread. Times are ticks.
#[derive(Default)]
pub struct Cost {
    /// By kind: the mean time of the last measured callbacks.
    mean: [AtomicU64; KINDS],
    /// By kind: the time of all callbacks.
    callbacks: [AtomicU64; KINDS],
    /// The time of rare work in callbacks.
    seldom: AtomicU64,
    /// The handler's time, ns.
    handler: AtomicU64,
    /// The number of chunks that were reported.
    chunks: AtomicU64,
    /// The number of these that were their threads' first of a construct.
    first_chunks: AtomicU64,
    /// The number of events of constructs that were only counted.
    events: AtomicU64,
    /// The number of acquisitions that were only counted.
    acquisitions: AtomicU64,
}

impl Cost {
    /// Begins the thread's figures anew.
    pub fn begin(&self) {
        let chunks = [&self.chunks, &self.first_chunks];
        let counters = [&self.seldom, &self.handler, &self.events, &self.acquisitions];
        let all = counters.into_iter().chain(chunks).chain(&self.callbacks);
        all.for_each(|counter| counter.store(0, Relaxed));
        self.mean.iter().for_each(|mean| mean.store(in_ticks(FIRST), Relaxed));
    }

    /// Books a callback that began at `begin`, and returns its assumed cost.
    #[inline]
    pub fn book(&self, kind: Kind, begin: u64) -> u64 {
        if self.is_measured(begin) {
            self.measure(kind, begin);
        }
        self.book_mean(kind)
    }

    /// Whether a callback that began at `begin` is to be measured.
    #[inline(always)]
    pub fn is_measured(&self, begin: u64) -> bool {
        (begin >> LOW_BITS).is_multiple_of(MEASURED)
    }

    /// Books a callback that is not measured, and returns its assumed cost.
    #[inline(always)]
    pub fn book_mean(&self, kind: Kind) -> u64 {
        let cost = self.mean[kind as usize].load(Relaxed);
        add(&self.callbacks[kind as usize], cost);
        cost
    }

    /// Measures a callback that began at `begin`.
    #[cold]
    #[inline(never)]
    pub fn measure(&self, kind: Kind, begin: u64) {
        let spent = ticks().saturating_sub(begin);
        let mean = &self.mean[kind as usize];
        let before = mean.load(Relaxed);
        // If callbacks differ, only their mean matters.
        mean.store((before * 7 + spent.min(before * OUTLIER)).div_ceil(8), Relaxed);
    }

    /// Books rare work of a callback, since `begin`; returns the time at its end.
    pub fn book_seldom(&self, begin: u64) -> u64 {
        let now = ticks();
        add(&self.seldom, now.saturating_sub(begin).min(in_ticks_fast(LONGEST)));
        now
    }

    /// Books the handler's processor time since the thread's own clock stood at `begin`, ns, and
    /// the kernel's time to call it.
    pub fn book_handler(&self, begin: u64) {
        add(&self.handler, clock::used_here().saturating_sub(begin) + SIGNAL);
    }

    /// Counts a chunk that was reported, which may be the thread's first of a construct. Returns
    /// how many there were.
    #[inline]
    pub fn count_chunk(&self, is_first: bool) -> u64 {
        add(&self.chunks, 1);
        if is_first {
            add(&self.first_chunks, 1);
        }
        self.chunks.load(Relaxed)
    }

    /// Counts an event of a construct that is only counted.
    #[inline]
    pub fn count_event(&self) {
        add(&self.events, 1);
    }

    /// Counts an acquisition of a mutex whose events are only counted.
    #[inline]
    pub fn count_acquisition(&self) {
        add(&self.acquisitions, 1);
    }

    /// Returns the cost, in `untimed` ticks, of `events` that were only counted, and of `untold`
    /// tasks that the runtime counted, of which `longer` took a much longer way than without a
    /// tool, ns. `is_once`: whether the runtime reported each mutex once. Any thread may call it.
    pub fn of_counted(&self, [untimed, events, untold, longer]: [u64; 4], is_once: bool) -> u64 {
        let acquisitions = self.acquisitions.load(Relaxed);
        let of_each = if is_once { 1 } else { EVENTS_OF_MUTEX };
        let others = events.saturating_sub(acquisitions * of_each);
        let tasks = untold.saturating_sub(longer) * UNTOLD + longer * UNTOLD_LONGER;
        let of_mutex = of_mutex(ns(untimed) / acquisitions.max(1));
        others * COUNTED + acquisitions * of_mutex + tasks / 10
    }

    /// Returns the cost of this many parts in regions that the runtime added up, ns.
    pub fn of_summed(&self, parts: u64) -> u64 {
        parts * SUMMED
    }

    /// Returns the whole cost, ns. Any thread may call it.
    pub fn total(&self) -> u64 {
        let is_alone = is_alone();
        let ratios = if is_alone { ALONE } else { SEVERAL };
        let of_kind =
            |(time, (part, whole)): (&AtomicU64, (u64, u64))| time.load(Relaxed) / whole * part;
        let callbacks: u64 = self.callbacks.iter().zip(ratios).map(of_kind).sum();
        let booked = callbacks + self.seldom.load(Relaxed);
        let of_several = |count: &AtomicU64| if is_alone { 0 } else { count.load(Relaxed) };
        let chunks = self.chunks.load(Relaxed) * CHUNK;
        let first = of_several(&self.first_chunks) * FIRST_CHUNK;
        let counted = self.events.load(Relaxed) * COUNTED;
        ns(booked) + self.handler.load(Relaxed) + counted + chunks + first
    }
}
