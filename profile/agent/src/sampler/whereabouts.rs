//! The CPUs on which a sampler's thread runs, how long on each, and those on which it may run.
//!
//! What must hold: all of it is async-signal-safe. The time that the thread ran up to a sample
//! counts for the CPU on which the sample finds it. A look from outside only knows the CPU of the
//! sample before.

use super::Sampler;
use crate::{recording, sched};
use omphalos_profile_format::{ThreadAffinity, ThreadCpu};

/// The number of CPUs of a thread that are distinguished. A thread that is not bound may use more
/// on a large machine: then the rest is one sum.
const CPUS: usize = 48;
/// The number of that rest.
const OTHERS: u32 = u32::MAX;

/// The time that a thread ran on one CPU.
#[derive(Clone, Copy, Default)]
struct OnCpu {
    cpu: u32,
    /// The time, ns.
    running: u64,
    /// The part of that time that the last record says.
    said: u64,
}

/// The CPUs of one thread.
pub struct Whereabouts {
    cpus: [OnCpu; CPUS],
    used: usize,
    /// The index in `cpus` of the CPU that the last sample found.
    last: Option<usize>,
    migrations: u64,
    /// The content of the last record of the affinity.
    said: Option<(sched::Processors, u64)>,
}

impl Default for Whereabouts {
    fn default() -> Whereabouts {
        let cpus = [OnCpu::default(); CPUS];
        Whereabouts { cpus, used: 0, last: None, migrations: 0, said: None }
    }
}

impl Whereabouts {
    /// Notes that the thread ran for `running`, ns, and is on this CPU; negative = not known.
    pub fn book(&mut self, running: u64, cpu: i32) {
        if let Ok(cpu) = u32::try_from(cpu) {
            let at = self.place_of(cpu);
            if self.last.is_some_and(|last| last != at) {
                self.migrations += 1;
            }
            self.last = Some(at);
        }
        if let Some(on) = self.last.and_then(|last| self.cpus.get_mut(last)) {
            on.running += running;
        }
    }

    fn place_of(&mut self, cpu: u32) -> usize {
        let known = self.cpus.iter().take(self.used).position(|on| on.cpu == cpu);
        known.unwrap_or_else(|| {
            let at = self.used.min(CPUS - 1);
            let cpu = if at == CPUS - 1 { OTHERS } else { cpu };
            if let Some(on) = self.cpus.get_mut(at) {
                on.cpu = cpu;
            }
            self.used = at + 1;
            at
        })
    }

    /// Notes that no record has any of this: the records that had it are lost.
    pub fn unsay(&mut self) {
        self.said = None;
        self.cpus.iter_mut().for_each(|on| on.said = 0);
    }
}

impl Sampler {
    /// Books the time that the thread computed since the sample before. Async-signal-safe.
    pub(super) fn book_cpu(&mut self, running: u64) {
        if recording::is_measured() {
            let is_own = omphalos_sys::thread::id() == self.whose.os_tid;
            let cpu = if is_own { omphalos_sys::cpus::current() } else { -1 };
            self.whereabouts.book(running, cpu);
        }
    }

    /// Puts everything that is not yet in a record into the buffer. Returns false if it has no
    /// room. Async-signal-safe.
    pub(super) fn say_where(&mut self) -> bool {
        let thread = self.whose.index;
        for on in self.whereabouts.cpus.iter_mut().filter(|on| on.running > on.said) {
            let OnCpu { cpu, running, .. } = *on;
            if self.buffer.push(ThreadCpu { thread, cpu, running }.into()).is_err() {
                return false;
            }
            on.said = running;
        }
        if self.whereabouts.used == 0 {
            return true;
        }
        let now = (sched::Processors::of(self.whose.os_tid), self.whereabouts.migrations);
        let (bytes, length) = now.0.bytes();
        // A thread that has ended has no processors.
        if self.whereabouts.said != Some(now)
            && let Some(cpus) = bytes.get(..length).filter(|cpus| !cpus.is_empty())
        {
            let record = ThreadAffinity { thread, migrations: now.1, cpus };
            if self.buffer.push(record.into()).is_err() {
                return false;
            }
            self.whereabouts.said = Some(now);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_moves() {
        let mut whereabouts = Whereabouts::default();
        whereabouts.book(5, -1);
        assert_eq!((whereabouts.used, whereabouts.migrations), (0, 0));
        for (running, cpu) in [(10, 3), (20, 3), (5, 9), (1, -1), (7, 3)] {
            whereabouts.book(running, cpu);
        }
        let sums = |at: usize| (whereabouts.cpus[at].cpu, whereabouts.cpus[at].running);
        assert_eq!((sums(0), sums(1), whereabouts.migrations), ((3, 37), (9, 6), 2));
    }

    #[test]
    fn on_many_cpus_the_rest_is_together() {
        let mut whereabouts = Whereabouts::default();
        (0..200).for_each(|cpu| whereabouts.book(1, cpu));
        let sum: u64 = whereabouts.cpus.iter().map(|on| on.running).sum();
        let rest = whereabouts.cpus[CPUS - 1];
        assert_eq!((sum, rest.cpu, rest.running), (200, OTHERS, 200 - CPUS as u64 + 1));
    }
}
