//! What the agent takes of a thread's time, which the report's head says.
//!
//! A look at the clock costs a third of a callback, so one callback in [`MEASURED`] has a second
//! one, and the others of its kind are taken to be alike; what seldom comes is measured each time.
//! Nothing is added for what lies around the two looks: the second one costs about as much, and the
//! processor does part of it meanwhile. On one thread (Intel Xeon, family 6, model 207; a look
//! takes 9.5 ns) a barrier's two callbacks add 60 to 73 ns to a program's time, and 63 are
//! measured; a region's six add 125 to 306, and 279 are measured.
//!
//! A cost is processor time: of the thread's own, and of others that wait the longer for it.
//!
//! With several threads a callback costs another time than it takes ([`SEVERAL`]). At barriers each
//! thread waits for what the others' callbacks take, and both for the lines that go between them;
//! constructs between barriers are like that in part. At a region's begin and end each thread would
//! wait for the others anyway while its own callbacks are at work.
//!
//! By the thread's callbacks, and its handler where none is at work; others read.

use crate::clock::{self, in_ticks, in_ticks_fast, ns, ticks};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How callbacks differ in what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Regions, implicit tasks.
    Rare,
    /// Barriers.
    Barrier,
    /// Barriers of which little is to be booked (`tool::brief`).
    Plain,
    /// The barrier behind a single: one thread alone was on the way to it.
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

/// One of so many callbacks is measured: which one, the low bits of the time say, so that no rhythm
/// of the program's always meets the same.
const MEASURED: u64 = 16;
/// Of a time in ticks, bits that change from one callback to the next on every processor.
const LOW_BITS: u32 = 4;
/// What a callback takes before one was measured, ns.
const FIRST: u64 = 40;
/// A callback that takes so many times the mean met something that is not its own (an interrupt,
/// another program). Of 76,000 measured at barriers and 25,000 of regions 99 % took less than
/// twice the mean, and 88 %; 0.2 % were cut here, and with them 1 to 2 % of the time. What is
/// dearer by nature is booked by itself.
const OUTLIER: u64 = 4;
/// What takes longer than this, ns, lost the processor meanwhile: the rest is not the agent's.
const LONGEST: u64 = 50_000;
/// By kind: what a callback costs where there are several threads, by what it takes: a ratio.
/// Measured on two threads of the same machine: barriers of 1 us added 1.8 to 2.6 times what their
/// callbacks took, those behind a reduction 0.9 to 1.4, single 1.6 to 1.75, sections 0.7 to 1.35,
/// regions of 8 us 0.5 to 1.2. From build to build each differs by as much.
/// Later, on an Intel Xeon (family 6, model 167), with priority over other programs: barriers 1.6
/// to 1.9, the barrier behind a single 2.9 to 3.6 (with what its begin and end take as above),
/// those of a reduction by clang less than half of what their callbacks took.
const SEVERAL: [(u64, u64); KINDS] =
    [(9, 8), (13, 8), (13, 8), (3, 1), (1, 1), (1, 5), (1, 1), (5, 4)];
/// The same on one thread. Regions of 8 and 10 us added 1.0 to 1.7 times what their callbacks took:
/// they come seldom, and find the caches cold.
const ALONE: [(u64, u64); KINDS] = [(5, 4), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)];
/// What the kernel takes to call a handler and to return from it, ns.
const SIGNAL: u64 = 1500;
/// What a chunk costs that is told: the runtime's longer way and the callback, ns. On the processor
/// of the figures below, tiny chunks take 1.0 to 1.8 on one thread. With two threads that take
/// chunks from one loop the callback may take 100; but where chunks are tiny the other one takes
/// the more meanwhile, and the loop lasts hardly longer.
const CHUNK: u64 = 2;

/// What the first chunk of a loop, or section, costs that a thread takes, ns: with two threads the
/// line that it is taken from comes back later. Measured on the latter processor.
const FIRST_CHUNK: u64 = 50;

/// What an event costs that is counted only, and the runtime's longer way where a tool is attached,
/// ns.
const COUNTED: u64 = 12;
/// The same of a mutex's, from the request to the release, ns: with one thread, and with several.
/// What stands here costs them where [`AT_ONCE`] or less lies between two acquisitions; the
/// program's own code between them hides the more of it the longer it is. Of one of 64 locks on
/// two threads (AMD EPYC, family 25, model 17) acquisitions cost 31 ns more where they come every
/// 61 ns, 25 every 85 ns, and 16 every 160 ns; on one thread 7 ns more every 13 ns.
const COUNTED_MUTEX: (u64, u64) = (7, 30);
/// Nor do they cost less than this. On an Intel Xeon (family 6, model 167), 0.7 microseconds apart,
/// free locks and critical regions took 0 to 1.6 ns on one thread, and with several 2 to 8.
const LEAST_OF_MUTEX: (u64, u64) = (1, 5);
/// ns.
const AT_ONCE: u64 = 90;
/// Events of a mutex's that other runtimes tell. Omphalos' tells only that it was acquired.
const EVENTS_OF_MUTEX: u64 = 3;
/// What a task costs that the runtime counts, over one without a tool, tenths of ns. On the same
/// processor, Fibonacci numbers: tasks of clang's 1.3 ns on one thread and 1.5 on each of two,
/// tasks of gcc's that may be queued 1.8. It differs by half of that from build to build.
const UNTOLD: u64 = 16;
/// The same where the runtime says that a tool makes their way much longer: tasks of gcc's that
/// their maker executes at once, 3.4 ns, which are hardly more than calls without a tool.
const UNTOLD_LONGER: u64 = 34;

/// What a thread's part in a region costs that the runtime adds up, with the longer way where a
/// tool is attached, ns. On an AMD EPYC (family 25, model 17) with two threads, each looks at the
/// clock twice, and the primary four times.
const SUMMED: u64 = 40;

/// What a mutex's events cost that are counted only, where `gap` ns lie between two acquisitions.
fn of_mutex(gap: u64) -> u64 {
    let of_these = |(alone, several)| if is_alone() { alone } else { several };
    let most: u64 = of_these(COUNTED_MUTEX);
    (most * AT_ONCE / gap.max(AT_ONCE)).max(of_these(LEAST_OF_MUTEX))
}

/// The process has one thread so far.
fn is_alone() -> bool {
    super::NEXT_INDEX.load(Relaxed) < 2
}

/// Adds to a counter that has one writer.
#[inline]
pub(super) fn add(to: &AtomicU64, much: u64) {
    to.store(to.load(Relaxed) + much, Relaxed);
}

/// See the module. Times are ticks.
#[derive(Default)]
pub struct Cost {
    /// By kind: the mean of what lately measured ones took.
    mean: [AtomicU64; KINDS],
    /// By kind: what all took.
    callbacks: [AtomicU64; KINDS],
    /// What callbacks seldom do.
    seldom: AtomicU64,
    /// What the handler took, ns.
    handler: AtomicU64,
    /// Chunks that were told.
    chunks: AtomicU64,
    /// Those that were their threads' first of a construct.
    first_chunks: AtomicU64,
    /// Events of constructs that were counted only.
    events: AtomicU64,
    /// Acquisitions that were counted only.
    acquisitions: AtomicU64,
}

impl Cost {
    /// The thread begins anew.
    pub fn begin(&self) {
        let chunks = [&self.chunks, &self.first_chunks];
        let counters = [&self.seldom, &self.handler, &self.events, &self.acquisitions];
        let all = counters.into_iter().chain(chunks).chain(&self.callbacks);
        all.for_each(|counter| counter.store(0, Relaxed));
        self.mean.iter().for_each(|mean| mean.store(in_ticks(FIRST), Relaxed));
    }

    /// Books a callback that began at `begin`, and answers what it is taken to cost.
    #[inline]
    pub fn book(&self, kind: Kind, begin: u64) -> u64 {
        if self.is_measured(begin) {
            self.measure(kind, begin);
        }
        self.book_mean(kind)
    }

    /// Whether a callback that began at `begin` is one to measure.
    #[inline(always)]
    pub fn is_measured(&self, begin: u64) -> bool {
        (begin >> LOW_BITS).is_multiple_of(MEASURED)
    }

    /// Books a callback that is not measured, and answers what it is taken to cost.
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
        // Where they differ the mean counts.
        mean.store((before * 7 + spent.min(before * OUTLIER)).div_ceil(8), Relaxed);
    }

    /// Books what a callback seldom does, since `begin`; answers the time now.
    pub fn book_seldom(&self, begin: u64) -> u64 {
        let now = ticks();
        add(&self.seldom, now.saturating_sub(begin).min(in_ticks_fast(LONGEST)));
        now
    }

    /// Books the handler's processor time since the thread's own clock stood at `begin`, ns, and
    /// what the kernel takes to call it.
    pub fn book_handler(&self, begin: u64) {
        add(&self.handler, clock::used_here().saturating_sub(begin) + SIGNAL);
    }

    /// Counts a chunk that was told, the thread's first of a construct or not; says how many there
    /// were.
    #[inline]
    pub fn count_chunk(&self, is_first: bool) -> u64 {
        add(&self.chunks, 1);
        if is_first {
            add(&self.first_chunks, 1);
        }
        self.chunks.load(Relaxed)
    }

    /// An event of a construct was counted only.
    #[inline]
    pub fn count_event(&self) {
        add(&self.events, 1);
    }

    /// A mutex was acquired where its events are counted only.
    #[inline]
    pub fn count_acquisition(&self) {
        add(&self.acquisitions, 1);
    }

    /// What events cost that were counted only, so many in all, and tasks that the runtime counted,
    /// of which `longer` took a much longer way than without a tool, ns: in `untimed` ticks.
    /// `is_once`: the runtime told of each mutex once. For any thread.
    pub fn of_counted(&self, [untimed, events, untold, longer]: [u64; 4], is_once: bool) -> u64 {
        let acquisitions = self.acquisitions.load(Relaxed);
        let of_each = if is_once { 1 } else { EVENTS_OF_MUTEX };
        let others = events.saturating_sub(acquisitions * of_each);
        let tasks = untold.saturating_sub(longer) * UNTOLD + longer * UNTOLD_LONGER;
        let of_mutex = of_mutex(ns(untimed) / acquisitions.max(1));
        others * COUNTED + acquisitions * of_mutex + tasks / 10
    }

    /// What so many parts in regions cost that the runtime added up, ns.
    pub fn of_summed(&self, parts: u64) -> u64 {
        parts * SUMMED
    }

    /// All of it, ns. For any thread.
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
