//! The control group's grant of CPU time, in figures and in words.

use crate::diagnosis::{count, duration, percent};

/// A group that is stopped in less than this share of its periods costs little.
const STOPPED: f64 = 0.05;

/// The control group's grant, and how often the group stopped the process while that was recorded.
#[derive(Clone, Debug, Default)]
pub struct GroupLimit {
    /// The system's name of the group; empty = the root that the process sees.
    pub path: String,
    /// CPU time granted in a period, us.
    pub quota: u64,
    /// The period, us.
    pub period: u64,
    /// Periods in which a thread wanted to run.
    pub periods: u64,
    /// The number of these in which the group was stopped.
    pub throttled_periods: u64,
    /// How long it was stopped, ns: the sum over CPUs.
    pub throttled: u64,
}

impl GroupLimit {
    /// Returns the grant as a number of CPUs.
    pub fn cpus(&self) -> f64 {
        self.quota as f64 / self.period.max(1) as f64
    }

    /// Returns the share of the periods in which the group was stopped.
    pub fn stopped_share(&self) -> f64 {
        (self.throttled_periods as f64 / self.periods.max(1) as f64).min(1.0)
    }

    /// Whether the group stopped the process in much of the time.
    pub fn has_stopped(&self) -> bool {
        self.stopped_share() >= STOPPED && self.throttled > 0
    }

    /// Returns `the control group /x`.
    pub(crate) fn name(&self) -> String {
        match self.path.as_str() {
            "" => "the control group".to_owned(),
            path => format!("the control group {path}"),
        }
    }

    /// Returns what the group did to so many threads, in a sentence that calls it "it".
    pub(crate) fn evidence(&self, threads: f64) -> String {
        format!(
            "it grants {:.2} CPUs ({} each {}), and {threads:.0} thread{} work{}: in {} of {} \
             periods ({}) it stopped them, for {} in all (summed over CPUs)",
            self.cpus(),
            duration(self.quota as f64 * 1e3),
            duration(self.period as f64 * 1e3),
            if threads > 1.0 { "s" } else { "" },
            if threads > 1.0 { "" } else { "s" },
            count(self.throttled_periods),
            count(self.periods),
            percent(self.stopped_share()),
            duration(self.throttled as f64),
        )
    }

    /// Returns the advice for so many threads.
    pub(crate) fn advice(&self, threads: f64) -> &'static str {
        if threads >= self.cpus() + 1.0 && self.cpus() >= 1.0 {
            "ask for no more threads than it grants CPUs (OMP_NUM_THREADS), or raise the quota: \
             docker --cpus, Kubernetes' resources.limits.cpu, systemd's CPUQuota"
        } else {
            "raise the quota: docker --cpus, Kubernetes' resources.limits.cpu, systemd's CPUQuota"
        }
    }
}
