//! How long a sampler's thread ran, slept, and waited for a processor, by the system's account. All
//! of it is async-signal-safe.

use super::Sampler;
use crate::clock::{in_ticks, in_ticks_fast, ticks};
use crate::{sched, stream};
use omphalos_profile_format::SampleQueued;

/// The shortest sleep, ns, about which the agent asks the system.
const SHORTEST_SLEEP: u64 = 10_000;
/// The sum of unrecorded waits for a processor, ns, at which they are recorded.
const SHORTEST_QUEUED: u64 = 20_000;
/// The time, ns, below which all unseen sleeps between two samples together count as work.
pub const SHORTEST_UNSEEN: u64 = 200_000;

impl Sampler {
    /// Returns the CPU time that the thread used since the last call of this function, ns. Any
    /// thread may call it. Async-signal-safe.
    pub fn cpu_since(&mut self) -> u64 {
        let cpu = cpu_time(self.whose.os_tid);
        self.note_queued();
        let before = core::mem::replace(&mut self.last_cpu, (cpu, ticks()));
        self.off_cpu = 0;
        let since = cpu.saturating_sub(before.0);
        self.book_cpu(since);
        since
    }

    /// Returns how much of the time from `begin` to `now` the calling thread slept, ticks. Between
    /// its last sample and `begin` only its calls are known: for the rest of that time it counts as
    /// running. The result is at most the time since the sample in which the thread neither ran nor
    /// waited for a processor. Async-signal-safe.
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

    /// Returns how long the calling thread slept unseen since its last sample, or since it began
    /// its work at `begin`, if that was later, ticks. It is the time in which the thread neither
    /// ran, nor waited for a processor, nor was in a known call. The real time may be longer: all
    /// the running since the sample may have come after `begin`. Async-signal-safe.
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

    /// Whether the calling thread left its processor by itself since its last sample. If it did
    /// not, it lost the processor to other threads, or to another machine.
    fn has_left(&self) -> bool {
        let now = sched::switches_of(self.whose.os_tid);
        now.zip(self.switches).is_some_and(|(now, before)| now[0] > before[0])
    }

    /// Notes how long the thread has waited for a processor so far. If the thread neither left its
    /// processor nor lost it since the last call, the wait has not grown. So this first reads the
    /// count of switches: that costs far less than to read the time, which stands in a file.
    fn note_queued(&mut self) {
        let switches = sched::switches_of(self.whose.os_tid);
        if switches.is_none() || self.switches != switches {
            self.open_times();
            // The time is read after the count: the next call notices a switch in between.
            let queued = self.queued_so_far();
            let before = core::mem::replace(&mut self.last_queued, queued);
            self.unsaid_queued += queued.saturating_sub(before);
            self.switches = switches;
        }
    }

    /// Writes a record of how long the thread waited for a processor before the last sample, if
    /// that is worth one. Async-signal-safe.
    pub(super) fn say_queued(&mut self) {
        if self.unsaid_queued >= SHORTEST_QUEUED {
            let queued = core::mem::take(&mut self.unsaid_queued);
            self.push(SampleQueued { thread: self.whose.index, queued }.into());
        }
    }

    /// Opens the file of the thread's times, but not before there is a record file: a process that
    /// uses no OpenMP gets no descriptor of the agent's. The thread itself calls this.
    /// Async-signal-safe.
    fn open_times(&mut self) {
        let whose = &mut self.whose;
        if !whose.opened && stream::is_open() && omphalos_sys::thread::id() == whose.os_tid {
            whose.opened = true;
            whose.times = sched::Times::open(whose.os_tid);
        }
    }

    /// Returns how long the calling thread has waited for a processor, ns since its begin; `None`
    /// where the system does not say. Async-signal-safe.
    pub fn waited_for_processor(&mut self) -> Option<u64> {
        self.open_times();
        let own = self.whose.times.and_then(|times| times.read());
        Some(own.or_else(|| sched::of_thread(self.whose.os_tid))?[1])
    }

    /// Returns how long the thread has waited for a processor, ns since its begin; 0 where the
    /// system does not say. Async-signal-safe.
    fn queued_so_far(&self) -> u64 {
        self.scheduled()[1]
    }

    /// Returns how long the thread has run, and waited for a processor, ns since its begin; zeros
    /// where the system does not say. Async-signal-safe.
    pub fn scheduled(&self) -> [u64; 2] {
        let id = self.whose.os_tid;
        // The thread itself has the file open; another thread may have another table of
        // descriptors.
        let own = self.whose.times.filter(|_| omphalos_sys::thread::id() == id);
        let times = own.and_then(|times| times.read()).or_else(|| sched::of_thread(id));
        times.unwrap_or_default()
    }

    /// Returns the CPU time that the thread used since the last call of [`Sampler::cpu_since`], ns.
    /// Async-signal-safe.
    pub fn cpu_so_far(&self) -> u64 {
        cpu_time(self.whose.os_tid).saturating_sub(self.last_cpu.0)
    }

    /// Returns how long the thread has waited for a processor, ns since its begin, and how much of
    /// that came after a look found it asleep and it did nothing since; 0 if that is not known.
    /// Async-signal-safe.
    pub fn queued(&self) -> (u64, u64) {
        let queued = self.queued_so_far();
        let before = self.slept.filter(|slept| slept.at == self.points.last());
        (queued, before.map_or(0, |slept| queued.saturating_sub(slept.queued)))
    }
}

/// Returns the CPU time of a thread of the process, ns. Async-signal-safe.
fn cpu_time(id: i32) -> u64 {
    const OF_THREAD: i32 = 4;
    const RUNTIME: i32 = 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure belongs to this function; an id that is no thread's is refused.
    unsafe { libc::clock_gettime((!id << 3) | OF_THREAD | RUNTIME, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
