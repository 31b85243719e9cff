//! What the agent takes of a thread's time, which the report's head says.
//!
//! Two looks at the clock cost as much as half a callback, so one in [`MEASURED`] is measured, and the others of its kind
//! are taken to be alike; what seldom comes is measured each time. By the thread's callbacks, and its handler where
//! none is at work; others read.

use super::add;
use crate::clock::{in_ticks, in_ticks_fast, ns, ticks};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How callbacks differ in what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Regions, implicit tasks, barriers.
    Rare,
    /// Tasks, taskwaits, mutexes.
    Busy,
    /// Constructs in regions, which book no time of the account.
    Light,
}

const KINDS: usize = 3;

/// One of so many callbacks is measured: which one, the low bits of the time say, so that no rhythm of the program's
/// always meets the same.
const MEASURED: u64 = 16;
/// Of a time in ticks, bits that change from one callback to the next on every processor.
const LOW_BITS: u32 = 4;
/// By kind: what comes with a callback and is not between its two looks at the clock, ns: the runtime's way to it, and
/// half of each look.
const AROUND: [u64; KINDS] = [40, 15, 30];
/// What a callback takes before one was measured, ns.
const FIRST: u64 = 40;
/// A callback that takes so many times the mean met something that is not its own (an interrupt,
/// another program).
const OUTLIER: u64 = 4;
/// What takes longer than this, ns, lost the processor meanwhile: the rest is not the agent's.
const LONGEST: u64 = 50_000;
/// What the kernel takes to call a handler and to return from it, ns.
const SIGNAL: u64 = 1500;
/// What a chunk costs that is told: the runtime's longer way and the callback, ns.
pub const CHUNK: u64 = 60;

/// See the module. Times are ticks.
#[derive(Default)]
pub struct Cost {
    /// By kind: what one callback is taken to cost.
    each: [AtomicU64; KINDS],
    /// By kind: the mean of what lately measured ones took between their looks at the clock.
    mean: [AtomicU64; KINDS],
    callbacks: AtomicU64,
    handler: AtomicU64,
    /// Chunks that were told.
    chunks: AtomicU64,
}

impl Cost {
    /// The thread begins anew.
    pub fn begin(&self) {
        for counter in [&self.callbacks, &self.handler, &self.chunks] {
            counter.store(0, Relaxed);
        }
        for kind in [Kind::Rare, Kind::Busy, Kind::Light] {
            self.mean[kind as usize].store(0, Relaxed);
            self.each[kind as usize].store(in_ticks(FIRST + AROUND[kind as usize]), Relaxed);
        }
    }

    /// Books a callback that began at `begin`, and answers what it is taken to cost.
    #[inline]
    pub fn book(&self, kind: Kind, begin: u64) -> u64 {
        if (begin >> LOW_BITS).is_multiple_of(MEASURED) {
            self.measure(kind, begin);
        }
        let cost = self.each[kind as usize].load(Relaxed);
        add(&self.callbacks, cost);
        cost
    }

    #[cold]
    #[inline(never)]
    fn measure(&self, kind: Kind, begin: u64) {
        let spent = ticks().saturating_sub(begin);
        let mean = self.mean[kind as usize].load(Relaxed);
        let mean = match mean {
            0 => spent.min(in_ticks_fast(1000)),
            // Where they differ the mean counts.
            _ => (mean * 7 + spent.min(mean * OUTLIER)).div_ceil(8),
        };
        self.mean[kind as usize].store(mean, Relaxed);
        self.each[kind as usize].store(mean + in_ticks(AROUND[kind as usize]), Relaxed);
    }

    /// Books what a callback seldom does, since `begin`; answers the time now.
    pub fn book_seldom(&self, begin: u64) -> u64 {
        let now = ticks();
        add(&self.callbacks, now.saturating_sub(begin).min(in_ticks_fast(LONGEST)));
        now
    }

    /// Books the handler's time since `begin`, and what the kernel takes to call it.
    pub fn book_handler(&self, begin: u64) {
        let spent = ticks().saturating_sub(begin).min(in_ticks_fast(LONGEST));
        add(&self.handler, spent + in_ticks(SIGNAL));
    }

    /// Counts a chunk that was told; says how many there were.
    #[inline]
    pub fn count_chunk(&self) -> u64 {
        add(&self.chunks, 1);
        self.chunks.load(Relaxed)
    }

    /// All of it, ns. For any thread.
    pub fn total(&self) -> u64 {
        let booked = self.callbacks.load(Relaxed) + self.handler.load(Relaxed);
        ns(booked) + self.chunks.load(Relaxed) * CHUNK
    }
}
