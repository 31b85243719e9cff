//! A thread that sleeps is asked less often.
//!
//! Waking sleeping threads a thousand times a second costs the processor that others work on: with
//! many more threads than processors, more than the program itself. So a thread that was found at
//! one place, in one state, using no processor time, for `PATIENCE` ticks in a row gets a tick
//! only every `STRETCH` periods, each of the weight of all of them. The first tick that finds it
//! otherwise, and the begin of an implicit task, bring the full rate back; the periods that it
//! slept through are recorded at the place where it slept.
//!
//! A crowd is asked less often as a whole: with more than two threads for each processor, ticks come
//! so much more rarely that no processor gets more than two threads' worth of them.
//!
//! What must hold: the weights of a thread's samples add up to the periods of its life.

use super::sampler::Sampler;
use super::timer;
use crate::clock::ns;
use crate::life;
use crate::thread::Thread;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use omphalos_profile_format::Sample;

/// Ticks that a thread must be found asleep.
const PATIENCE: u32 = 32;
/// Periods between two ticks of a sleeping thread.
const STRETCH: u32 = 8;

/// The fewest ticks that a thread of a crowd gets: one in so many periods.
const MOST: u32 = 32;

static THREADS: AtomicU32 = AtomicU32::new(0);
static CPUS: AtomicU32 = AtomicU32::new(1);

/// Asks how many processors the process may use, notes it and answers it. Allocates.
pub fn count_processors() -> u32 {
    let cpus = std::thread::available_parallelism().map_or(1, |count| count.get());
    let cpus = u32::try_from(cpus).unwrap_or(1);
    CPUS.store(cpus, Relaxed);
    cpus
}

/// A thread is sampled from now on (or, in a forked child, the only one).
pub fn arrive(alone: bool) {
    if alone {
        THREADS.store(0, Relaxed);
    }
    THREADS.fetch_add(1, Relaxed);
}

/// A thread is not sampled any more.
pub fn leave() {
    THREADS.fetch_sub(1, Relaxed);
}

/// Periods between two ticks of a thread that works.
fn crowd() -> u32 {
    (THREADS.load(Relaxed) / (2 * CPUS.load(Relaxed)).max(1)).clamp(1, MOST)
}

/// What is known of a thread's rest; part of its sampler.
#[derive(Default)]
pub struct Rest {
    last: Option<Sample>,
    /// When the last tick was, ticks of the clock.
    at: u64,
    quiet: u32,
}

/// Takes in the sample of a tick at `now`: answers the weight that it keeps, after the rest of its
/// periods was recorded where the thread slept. Async-signal-safe.
pub fn settle(sampler: &mut Sampler, thread: &Thread, sample: &Sample, now: u64) -> u32 {
    let period = life::period();
    let stretch = thread.stretch.load(Relaxed);
    let same_place = sampler.rest.last.is_some_and(|last| {
        last.stack == sample.stack && last.state == sample.state && last.wait_id == sample.wait_id
    });
    // What waking and asking takes is far below an eighth of a period.
    let asleep = same_place && sample.cpu_time.saturating_mul(8) < period;
    let mut weight = sample.weight;
    if stretch > crowd() && !asleep {
        let used = u32::try_from(sample.cpu_time / period + 1).unwrap_or(u32::MAX).max(crowd());
        weight = used.min(sample.weight);
        record(sampler, thread, sample.weight - weight);
    }
    let rest = &mut sampler.rest;
    rest.at = now;
    rest.last = Some(*sample);
    rest.quiet = if asleep { rest.quiet.saturating_add(1) } else { 0 };
    let wanted = if rest.quiet >= PATIENCE { STRETCH.max(crowd()) } else { crowd() };
    if wanted != stretch {
        timer::stretch(thread, wanted);
    }
    weight
}

/// The thread goes to work at `now`: the full rate comes back at once.
#[inline]
pub fn end(thread: &Thread, now: u64) {
    if thread.stretch.load(Relaxed) > 1 && thread.stretch.load(Relaxed) > crowd() {
        end_now(thread, now);
    }
}

/// The thread is not sampled any more from `now` on: the periods since its last tick, which may have
/// been on its way, are recorded.
pub fn close(sampler: &mut Sampler, thread: &Thread, now: u64) {
    let since = ns(now.saturating_sub(sampler.rest.at)) / life::period().max(1);
    record(sampler, thread, u32::try_from(since).unwrap_or(u32::MAX));
}

#[cold]
fn end_now(thread: &Thread, now: u64) {
    thread.with_sampler(|sampler| {
        close(sampler, thread, now);
        sampler.rest.quiet = 0;
        sampler.rest.last = None;
        timer::stretch(thread, crowd());
    });
}

/// Records periods at the place of the last sample.
fn record(sampler: &mut Sampler, thread: &Thread, weight: u32) {
    if let Some(last) = sampler.rest.last
        && weight > 0
    {
        sampler.push(thread, Sample { weight, cpu_time: 0, ..last }.into());
    }
}
