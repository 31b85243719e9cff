//! The CPUs on which threads ran, those they may use, those of the machine, and the control group's
//! grant.

mod cause;
mod group;
mod judge;

use std::collections::{BTreeMap, BTreeSet};

use omphalos_profile_format::{
    ControlGroup, MachineCpu, ProcessAffinity, Record, ThreadAffinity, ThreadCpu,
};

use crate::visible::visible_bytes;
pub use cause::{Cause, cause};
pub use group::GroupLimit;
pub use judge::{cores_of, crowd, shared_cores};

/// The most CPUs, and the most threads, that are taken from a damaged file.
const MOST_CPUS: usize = 1 << 13;
const MOST_THREADS: usize = 1 << 16;
/// No figure of a real run is larger.
const LARGEST: u64 = 1 << 56;
/// A CPU with less than this share of the fastest one's capacity is slow. The kernel's capacities
/// of CPUs of one kind differ by a few percent.
pub const SLOW_SHARE: f64 = 0.9;

/// Numbers of CPUs.
pub type Cpus = BTreeSet<u32>;

/// The CPUs of one thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadPlace {
    /// The CPUs that it may use; empty if unknown.
    pub allowed: Cpus,
    /// How long it ran on each CPU, ns; `u32::MAX` stands for the rest.
    pub ran: BTreeMap<u32, u64>,
    /// How often a sample found it on another CPU than the one before.
    pub migrations: u64,
}

impl ThreadPlace {
    /// Returns the CPU that it ran on most, and the share of its time there.
    pub fn main_cpu(&self) -> Option<(u32, f64)> {
        let (cpu, time) = self.ran.iter().max_by_key(|(_, time)| **time)?;
        let all = self.ran.values().fold(0, |sum: u64, time| sum.saturating_add(*time));
        (*cpu != u32::MAX && *time > 0).then(|| (*cpu, *time as f64 / all as f64))
    }
}

/// The placement of a process; see the module.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// By the agent's index of the thread.
    pub threads: BTreeMap<u32, ThreadPlace>,
    /// The CPUs that the process might use when it was started; empty if unknown.
    pub allowed: Cpus,
    /// The CPUs of the machine that are online; empty if unknown.
    pub online: Cpus,
    /// The CPUs that the control group may use; empty if unknown.
    pub cpuset: Cpus,
    /// The variables of launchers that bind processes, as `NAME=value`.
    pub launcher: Vec<String>,
    /// The control group that limits the process, if one does.
    pub group: Option<GroupLimit>,
    /// The machine's CPUs by their numbers; empty where nobody wrote them into the profile.
    pub machine: BTreeMap<u32, MachineCpu>,
    /// The group's counts when recording began.
    begin: Option<(u64, u64, u64)>,
}

impl Placement {
    /// Takes a record about placement; true if it is one.
    pub(crate) fn take(&mut self, record: &Record<'_>) -> bool {
        match record {
            Record::ThreadCpu(ThreadCpu { thread, cpu, running }) => {
                if let Some(place) = self.thread(*thread)
                    && place.ran.len() < MOST_CPUS
                {
                    place.ran.insert(*cpu, (*running).min(LARGEST));
                }
            }
            Record::ThreadAffinity(ThreadAffinity { thread, migrations, cpus }) => {
                if let Some(place) = self.thread(*thread) {
                    place.allowed = of_mask(cpus);
                    place.migrations = (*migrations).min(LARGEST);
                }
            }
            Record::ProcessAffinity(ProcessAffinity { cpus, online, cpuset, launcher }) => {
                self.allowed = of_mask(cpus);
                self.online = of_list(online);
                self.cpuset = of_list(cpuset);
                self.launcher = launcher.iter().map(visible_bytes).collect();
            }
            Record::ControlGroup(group) => self.take_group(group),
            Record::MachineCpu(cpu) if self.machine.len() < MOST_CPUS => {
                self.machine.insert(cpu.cpu, *cpu);
            }
            Record::MachineCpu(_) => {}
            _ => return false,
        }
        true
    }

    fn thread(&mut self, thread: u32) -> Option<&mut ThreadPlace> {
        let is_full = self.threads.len() >= MOST_THREADS && !self.threads.contains_key(&thread);
        (!is_full).then(|| self.threads.entry(thread).or_default())
    }

    fn take_group(&mut self, group: &ControlGroup<'_>) {
        let counts = (group.periods, group.throttled_periods, group.throttled);
        let begin = *self.begin.get_or_insert(counts);
        self.group = Some(GroupLimit {
            path: visible_bytes(group.path),
            quota: group.quota,
            period: group.period,
            periods: counts.0.saturating_sub(begin.0).min(LARGEST),
            throttled_periods: counts.1.saturating_sub(begin.1).min(LARGEST),
            throttled: counts.2.saturating_sub(begin.2).min(LARGEST),
        });
    }

    /// Returns the core of a CPU; the CPU itself where the machine is unknown.
    pub fn core(&self, cpu: u32) -> u32 {
        self.machine.get(&cpu).map_or(cpu, |known| known.core)
    }

    /// Whether a CPU can do less than the fastest of the machine: by its capacity, else by its
    /// frequency.
    pub fn is_slow(&self, cpu: u32) -> bool {
        let by = |figure: fn(&MachineCpu) -> u32| {
            let most = self.machine.values().map(figure).max().filter(|most| *most > 0)?;
            let own = self.machine.get(&cpu).map(figure).filter(|own| *own > 0)?;
            Some(f64::from(own) < SLOW_SHARE * f64::from(most))
        };
        let differs = self.machine.values().map(|cpu| cpu.capacity).collect::<BTreeSet<_>>();
        match differs.len() > 1 {
            true => by(|cpu| cpu.capacity),
            false => by(|cpu| cpu.frequency),
        }
        .unwrap_or(false)
    }

    /// Returns the number of the machine's NUMA nodes; 0 if unknown.
    pub fn nodes(&self) -> usize {
        self.machine.values().map(|cpu| cpu.node).collect::<BTreeSet<_>>().len()
    }
}

fn of_mask(bytes: &[u8]) -> Cpus {
    let bits = bytes.iter().take(MOST_CPUS / 8).enumerate().flat_map(|(at, byte)| {
        (0..8).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| at as u32 * 8 + bit)
    });
    bits.collect()
}

/// Reads the CPUs from a list of the kernel's: `0-3,8`.
pub fn of_list(text: &[u8]) -> Cpus {
    let text = String::from_utf8_lossy(text);
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse::<u32>().ok()?..=last.trim().parse::<u32>().ok()?)
    };
    text.split(',').filter_map(range).flatten().take(MOST_CPUS).collect()
}

/// Returns `CPU 3`, `CPUs 0-3,8`.
pub fn named(cpus: &Cpus) -> String {
    match cpus.len() {
        1 => format!("CPU {}", list(cpus)),
        _ => format!("CPUs {}", list(cpus)),
    }
}

/// Returns `0-3,8`.
pub fn list(cpus: &Cpus) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &cpu in cpus {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(cpu) => *last = cpu,
            _ => ranges.push((cpu, cpu)),
        }
    }
    let one = |(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    };
    ranges.iter().map(one).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_masks() {
        assert_eq!(list(&of_list(b"0-3,8\n")), "0-3,8");
        assert_eq!(list(&of_mask(&[0b1011, 1])), "0-1,3,8");
        assert_eq!((list(&of_list(b"")), list(&of_list(b"x,3-y"))), (String::new(), String::new()));
        assert_eq!(of_list(b"0-4000000000").len(), MOST_CPUS);
        assert_eq!(named(&of_list(b"4")), "CPU 4");
    }

    #[test]
    fn a_group_counts_from_its_first_record() {
        let mut placement = Placement::default();
        let at = |periods, throttled_periods, throttled| ControlGroup {
            path: b"/x",
            quota: 50_000,
            period: 100_000,
            periods,
            throttled_periods,
            throttled,
        };
        placement.take(&at(10, 5, 100).into());
        placement.take(&at(30, 15, 900).into());
        let group = placement.group.unwrap();
        assert_eq!((group.periods, group.throttled_periods, group.throttled), (20, 10, 800));
        assert_eq!(group.cpus(), 0.5);
    }
}
