//! The runtime's part of the time that the agent counts as work: handing out chunks, making tasks.
//!
//! The agent moves a thread from class to class by callbacks, and no callback says that a thread
//! asks for a chunk or makes a task. Samples do: their innermost code is the runtime's. Their share
//! counts as the share of the time, so that tables and call paths agree.

use omphalos_profile_format::Sample;

use super::sums::{add, total};
use crate::maps::HashMap;
use crate::ompt::{Activity, TASK_EXPLICIT};
use crate::recording::Recording;

/// Fewer samples in the runtime say nothing about a share.
const FEW: u64 = 8;
/// Regions nested deeper than this are cut off: a damaged file may hold a cycle.
pub(super) const DEEPEST: usize = 64;

/// Time of samples in work states, ns: all of it, and the part in the runtime's code.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares {
    work: u64,
    in_runtime: u64,
    /// The number of samples in the runtime's code.
    samples: u64,
}

impl Shares {
    fn add(&mut self, work: u64, in_runtime: u64) {
        add(&mut self.work, work);
        add(&mut self.in_runtime, in_runtime);
        self.samples += u64::from(in_runtime > 0);
    }

    /// Returns the runtime's share of the work.
    pub(super) fn share(self) -> (u64, u64) {
        if self.samples < FEW { (0, 1) } else { (self.in_runtime, self.work) }
    }
}

/// The runtime's part of the work in regions, ns, by their `codeptr_ra`.
pub(super) type Handed = HashMap<u64, u64>;

/// The shares by region construct and by task construct, and for work outside regions by thread.
#[derive(Debug, Default)]
pub(super) struct Within {
    serial: HashMap<u32, Shares>,
    regions: HashMap<u64, Shares>,
    tasks: HashMap<u64, Shares>,
    /// Time in the runtime's code by thread and region construct, ns.
    threads: HashMap<u32, HashMap<u64, u64>>,
}

impl Within {
    /// Adds a sample; `activity` is the one that its code shows.
    pub(super) fn add(
        &mut self,
        recording: &Recording,
        sample: &Sample,
        activity: Activity,
        weight: u64,
    ) {
        let counted = Activity::of_state(sample.state);
        let in_runtime = if activity == Activity::Overhead { weight } else { 0 };
        if counted == Activity::Serial {
            self.serial.entry(sample.thread).or_default().add(weight, in_runtime);
        }
        if counted == Activity::Parallel && sample.task_flags & TASK_EXPLICIT != 0 {
            self.tasks.entry(sample.task_codeptr).or_default().add(weight, in_runtime);
        }
        self.add_to_regions(recording, sample, counted, (weight, in_runtime));
    }

    /// Adds a sample to its region, and to the regions around that as far as the thread itself
    /// forked the inner one: for those, all time in an inner region is work.
    fn add_to_regions(
        &mut self,
        recording: &Recording,
        sample: &Sample,
        counted: Activity,
        (weight, in_runtime): (u64, u64),
    ) {
        let (mut region, mut own) = (sample.region, true);
        for _ in 0..DEEPEST {
            if region == 0 {
                return;
            }
            let fork = recording.forks.get(&region).map(|(fork, _)| fork);
            let site = fork.map_or(if own { sample.region_codeptr } else { 0 }, |f| f.codeptr_ra);
            if site == 0 {
                return;
            }
            if !own || counted == Activity::Parallel {
                let in_runtime = if own { in_runtime } else { 0 };
                self.regions.entry(site).or_default().add(weight, in_runtime);
                if in_runtime > 0 {
                    let of_thread = self.threads.entry(sample.thread).or_default();
                    add(of_thread.entry(site).or_default(), in_runtime);
                }
            }
            if fork.is_some_and(|fork| fork.thread != sample.thread) {
                return;
            }
            region = fork.map_or(0, |fork| fork.parent);
            own = false;
        }
    }

    /// Returns the shares of a thread outside regions.
    pub(super) fn serial(&self, thread: u32) -> Shares {
        self.serial.get(&thread).copied().unwrap_or_default()
    }

    /// Returns the runtime's part of the thread's work in regions, ns: the thread's part of what
    /// all threads handed out there, so that both tables agree.
    pub(super) fn of_thread(&self, handed: &Handed, thread: u32) -> u64 {
        let parts = self.threads.get(&thread).into_iter().flatten().map(|(site, &own)| {
            let all = handed.get(site).copied().unwrap_or(0);
            part(all, (own, self.region(*site).in_runtime))
        });
        total(parts)
    }

    /// Returns the shares of the regions whose forks have this return address.
    pub(super) fn region(&self, codeptr_ra: u64) -> Shares {
        self.regions.get(&codeptr_ra).copied().unwrap_or_default()
    }

    /// Returns the shares of the tasks made by the call with this return address.
    pub(super) fn task(&self, codeptr_ra: u64) -> Shares {
        self.tasks.get(&codeptr_ra).copied().unwrap_or_default()
    }
}

/// Returns `time` times a share of at most 1.
pub(super) fn part(time: u64, (of, whole): (u64, u64)) -> u64 {
    let part = u128::from(time) * u128::from(of) / u128::from(whole.max(1));
    u64::try_from(part).unwrap_or(time).min(time)
}
