//! The machine's facts about the CPUs that a program may use.

use std::collections::BTreeSet;

use omphalos_report::placement::SLOW_SHARE;
use serde::{Deserialize, Serialize};

/// One CPU, by the kernel's numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// The kernel's number.
    pub number: u32,
    /// The lowest number among the CPUs of its core, which are the core's hyper-threads.
    pub core: u32,
    /// Its capacity, compared with others of the machine; any unit. None where the kernel gives
    /// none.
    pub capacity: Option<u32>,
}

/// The CPUs that the program may use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The CPUs.
    pub cpus: Vec<Cpu>,
    /// The control group's grant as a number of CPUs, where the group limits that.
    pub quota: Option<f64>,
}

impl Machine {
    /// Returns how many threads can run at once.
    pub fn processors(&self) -> u32 {
        let granted = self.quota.map_or(u32::MAX, |quota| (quota + 0.01).floor() as u32);
        (self.cpus.len() as u32).min(granted).max(1)
    }

    /// Returns how many threads can each have a core of their own.
    pub fn cores(&self) -> u32 {
        let cores: BTreeSet<u32> = self.cpus.iter().map(|cpu| cpu.core).collect();
        (cores.len() as u32).clamp(1, self.processors())
    }

    /// Returns how many threads can each have a core of the fastest kind.
    pub fn fast_cores(&self) -> u32 {
        let known = self.cpus.iter().filter_map(|cpu| cpu.capacity);
        let least = SLOW_SHARE * f64::from(known.max().unwrap_or(0));
        let is_fast = |cpu: &&Cpu| cpu.capacity.is_none_or(|own| f64::from(own) >= least);
        let cores: BTreeSet<u32> = self.cpus.iter().filter(is_fast).map(|cpu| cpu.core).collect();
        (cores.len() as u32).clamp(1, self.cores())
    }

    /// Returns the CPUs in words: `8 CPUs on 4 cores, 2 of them fast ones`.
    pub fn in_words(&self) -> String {
        let plural = |count: u32, what: &str| match count {
            1 => format!("1 {what}"),
            count => format!("{count} {what}s"),
        };
        let cpus = self.cpus.len() as u32;
        let mut text = plural(cpus.max(1), "CPU");
        if self.cores() < cpus.min(self.processors()) {
            text.push_str(&format!(" on {}", plural(self.cores(), "core")));
        }
        if self.fast_cores() < self.cores() {
            text.push_str(&format!(", {} of them fast ones", self.fast_cores()));
        }
        if let Some(quota) = self.quota.filter(|quota| *quota < f64::from(cpus)) {
            text.push_str(&format!(", of whose time the control group grants that of {quota:.1}"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(cpus: &[(u32, Option<u32>)]) -> Machine {
        let cpus = cpus.iter().enumerate();
        let cpu = |(number, (core, capacity)): (usize, &(u32, Option<u32>))| Cpu {
            number: number as u32,
            core: *core,
            capacity: *capacity,
        };
        Machine { cpus: cpus.map(cpu).collect(), quota: None }
    }

    #[test]
    fn hyper_threads_share_a_core() {
        let found = machine(&[(0, None), (1, None), (0, None), (1, None)]);
        assert_eq!((found.processors(), found.cores(), found.fast_cores()), (4, 2, 2));
        assert_eq!(found.in_words(), "4 CPUs on 2 cores");
    }

    #[test]
    fn slow_cores_are_told() {
        let found = machine(&[(0, Some(1024)), (1, Some(1000)), (2, Some(600)), (3, Some(600))]);
        assert_eq!((found.processors(), found.cores(), found.fast_cores()), (4, 4, 2));
        assert_eq!(found.in_words(), "4 CPUs, 2 of them fast ones");
    }

    #[test]
    fn a_quota_grants_less() {
        let mut found = machine(&[(0, None), (1, None), (2, None), (3, None)]);
        found.quota = Some(1.5);
        assert_eq!((found.processors(), found.cores()), (1, 1));
        assert!(found.in_words().ends_with("grants that of 1.5"), "{}", found.in_words());
        assert_eq!(Machine::default().processors(), 1);
    }
}
