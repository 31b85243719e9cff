//! How long a sampler's thread ran, slept, and waited for a processor, by the system's account.
//! Async-signal-safe, all of it.

use super::Sampler;
use crate::clock::{in_ticks, in_ticks_fast, ticks};
use crate::{sched, stream};
use omphalos_profile_format::SampleQueued;

/// What is taken for a sleep and is shorter is not worth a question to the system, ns.
const SHORTEST_SLEEP: u64 = 10_000;
/// Waits for a processor are told when they come to as much, ns.
const SHORTEST_QUEUED: u64 = 20_000;
/// All sleeps between two samples that nobody saw, if they are shorter, count as work, ns.
pub const SHORTEST_UNSEEN: u64 = 200_000;

impl Sampler {
    /// CPU time that the thread used since this was asked last, ns; any thread may ask.
    /// Async-signal-safe.
    pub fn cpu_since(&mut self) -> u64 {
        let cpu = cpu_time(self.whose.os_tid);
        self.note_queued();
        let before = core::mem::replace(&mut self.last_cpu, (cpu, ticks()));
        self.off_cpu = 0;
        let since = cpu.saturating_sub(before.0);
        self.book_cpu(since);
        since
    }

    /// How much of the time from `begin` to `now` the calling thread slept, ticks. Of what came
    /// between its last sample and `begin` no more is known than calls tell: it is taken to have
    /// run there, but all in all it slept no longer than it neither ran nor waited for a processor.
    /// Async-signal-safe.
    pub fn slept_in_call(&self, begin: u64, now: u64) -> u64 {
        let (_, since) = self.last_cpu;
        let ran = in_ticks(self.cpu_so_far());
        let before = begin.saturating_sub(since).saturating_sub(self.off_cpu);
        let slept = now.saturating_sub(begin).saturating_sub(ran.saturating_sub(before));
        if slept < in_ticks_fast(SHORTEST_SLEEP) {
            return slept;
        }
        let queued = self.queued_so_far().saturating_sub(self.last_queued);
        let awake = ran + in_ticks(queued);
        slept.min(now.saturating_sub(since.min(begin)).saturating_sub(awake))
    }

    /// How long the calling thread slept where nobody saw it since its last sample, or since it
    /// came to its work at `begin`, if that was later, ticks: what it neither ran, nor waited for
    /// a processor, nor was in a call that is known. At least that long: all that it ran since
    /// the sample may have been since `begin`. Async-signal-safe.
    pub fn slept_unseen(&self, begin: u64, now: u64) -> u64 {
        let passed = now.saturating_sub(begin.max(self.last_cpu.1));
        let slept = |awake| passed.saturating_sub(awake + self.off_cpu);
        let shortest = in_ticks_fast(SHORTEST_UNSEEN);
        if slept(0) < shortest {
            return 0;
        }
        let ran = in_ticks(self.cpu_so_far());
        if slept(ran) < shortest || !self.has_left() {
            return 0;
        }
        let queued = self.queued_so_far().saturating_sub(self.last_queued);
        Some(slept(ran + in_ticks(queued))).filter(|slept| *slept >= shortest).unwrap_or(0)
    }

    /// True if the calling thread left its processor by itself since its last sample. One that did
    /// not lost it to other threads, or to another machine.
    fn has_left(&self) -> bool {
        let now = sched::switches_of(self.whose.os_tid);
        now.zip(self.switches).is_some_and(|(now, before)| now[0] > before[0])
    }

    /// Notes how long the thread has waited for a processor so far. It has waited no longer than
    /// before where it was not taken off its processor since: to ask that costs far less than the
    /// time, which stands in a file.
    fn note_queued(&mut self) {
        let switches = sched::switches_of(self.whose.os_tid);
        if switches.is_none() || self.switches != switches {
            self.open_times();
            // Behind the count: what comes in between is a difference the next time.
            let queued = self.queued_so_far();
            let before = core::mem::replace(&mut self.last_queued, queued);
            self.unsaid_queued += queued.saturating_sub(before);
            self.switches = switches;
        }
    }

    /// A sample was written: how long the thread waited for a processor before it is one more
    /// record, if it is worth one. Async-signal-safe.
    pub(super) fn say_queued(&mut self) {
        if self.unsaid_queued >= SHORTEST_QUEUED {
            let queued = core::mem::take(&mut self.unsaid_queued);
            self.push(SampleQueued { thread: self.whose.index, queued }.into());
        }
    }

    /// Opens the file of the thread's times. Not before there is a record file: a process that uses
    /// no OpenMP gets no descriptor of ours. By the thread itself. Async-signal-safe.
    fn open_times(&mut self) {
        let whose = &mut self.whose;
        if !whose.opened && stream::is_open() && omphalos_sys::thread::id() == whose.os_tid {
            whose.opened = true;
            whose.times = sched::Times::open(whose.os_tid);
        }
    }

    /// How long the calling thread has waited for a processor, ns since its begin; none where the
    /// system does not say. Async-signal-safe.
    pub fn waited_for_processor(&mut self) -> Option<u64> {
        self.open_times();
        let own = self.whose.times.and_then(|times| times.read());
        Some(own.or_else(|| sched::of_thread(self.whose.os_tid))?[1])
    }

    /// How long the thread has waited for a processor, ns since its begin; 0 where the system does
    /// not say. Async-signal-safe.
    fn queued_so_far(&self) -> u64 {
        self.scheduled()[1]
    }

    /// How long the thread has run and waited for a processor, ns since its begin; zeros where the
    /// system does not say. Async-signal-safe.
    pub fn scheduled(&self) -> [u64; 2] {
        let id = self.whose.os_tid;
        // The file is open among the thread's own; another thread may have a table of its own.
        let own = self.whose.times.filter(|_| omphalos_sys::thread::id() == id);
        let times = own.and_then(|times| times.read()).or_else(|| sched::of_thread(id));
        times.unwrap_or_default()
    }

    /// CPU time that the thread used since [`Sampler::cpu_since`] was asked last, ns.
    /// Async-signal-safe.
    pub fn cpu_so_far(&self) -> u64 {
        cpu_time(self.whose.os_tid).saturating_sub(self.last_cpu.0)
    }

    /// How long the thread has waited for a processor, ns since its begin, and how much of that was
    /// since a look found it asleep and it did nothing since; 0 where nobody knows.
    /// Async-signal-safe.
    pub fn queued(&self) -> (u64, u64) {
        let queued = self.queued_so_far();
        let before = self.slept.filter(|slept| slept.at == self.points.last());
        (queued, before.map_or(0, |slept| queued.saturating_sub(slept.queued)))
    }
}

/// CPU time of a thread of the process, ns. Async-signal-safe.
fn cpu_time(id: i32) -> u64 {
    const OF_THREAD: i32 = 4;
    const RUNTIME: i32 = 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours; an id that is no thread's is refused.
    unsafe { libc::clock_gettime((!id << 3) | OF_THREAD | RUNTIME, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
