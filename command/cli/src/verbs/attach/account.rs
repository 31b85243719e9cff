//! Adds up the times of threads and of regions from the samples. `attach/mod.rs` calls it.
//!
//! The kernel counts how long a thread was on a processor, was able to run without one, and slept:
//! these three times are exact. The samples tell what the thread did in each of them. So each time
//! is shared out among the activities in the samples.

use std::collections::BTreeMap;

use super::regions::Placed;
use super::seen::{Sample, Thread};

/// The classes of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Work outside any region.
    Serial,
    /// Work in a region.
    Work,
    /// Waits at barriers.
    Barrier,
    /// Waits for locks and the like.
    Mutex,
    /// Waits for tasks.
    Task,
    /// A worker without a region.
    Idle,
    /// The runtime's own work.
    Overhead,
}

const CLASSES: usize = 7;

impl Class {
    /// Returns the class of an `ompt_state_t`.
    pub fn of(state: u32) -> Class {
        match state {
            0x000 => Class::Serial,
            0x010..=0x01f => Class::Barrier,
            0x020..=0x03f | 0x080..=0x0ff => Class::Task,
            0x040..=0x07f => Class::Mutex,
            0x100 => Class::Idle,
            0x101 => Class::Overhead,
            _ => Class::Work,
        }
    }
}

/// Times of samples, ns: running, without a processor, and asleep.
#[derive(Clone, Copy, Debug, Default)]
struct Sampled {
    ran: [u64; CLASSES],
    queued: [u64; CLASSES],
    slept: [u64; CLASSES],
    /// The number of samples in which the thread ran.
    count: u64,
}

impl Sampled {
    fn add(&mut self, placed: &Placed, class: Class) {
        let Sample { sleeps, waits, since, .. } = placed.sample;
        let at = class as usize;
        if sleeps.is_some() {
            self.slept[at] += since;
            return;
        }
        if !waits {
            self.ran[at] += since;
            self.count += 1;
        }
        if waits {
            self.queued[at] += since;
        }
    }
}

/// A thread's times, or a region's, ns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// The time on a processor, by class.
    pub ran: [u64; CLASSES],
    /// The time able to run, without a processor, by class.
    pub queued: [u64; CLASSES],
    /// The time asleep, by class.
    pub slept: [u64; CLASSES],
}

impl Times {
    /// Returns all time of a class.
    pub fn all(&self, class: Class) -> u64 {
        let at = class as usize;
        self.ran[at] + self.queued[at] + self.slept[at]
    }

    fn add(&mut self, other: &Times) {
        for at in 0..CLASSES {
            self.ran[at] += other.ran[at];
            self.queued[at] += other.queued[at];
            self.slept[at] += other.slept[at];
        }
    }
}

/// The kernel's times of a thread, with the samples that share them out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Account {
    sampled: Sampled,
    /// The time since the thread was first seen, ns.
    pub alive: u64,
    /// The time on a processor.
    pub ran: u64,
    /// The time able to run, without a processor.
    pub queued: u64,
    /// The number of samples.
    pub samples: u64,
}

/// The return address of a region's call, the return address of the call of the region around it,
/// and the depth.
pub type Site = (u64, u64, u32);

/// A region.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The times of all threads.
    pub times: Times,
    /// Each thread's work, ns on a processor, with the number of samples.
    pub work: BTreeMap<u32, (u64, u64)>,
    /// Work of this region that is in an inner region's account, ns.
    pub inner: u64,
    /// The part of the work in explicit tasks.
    pub tasks: u64,
    /// The time of the threads that began the region, ns.
    pub elapsed: u64,
    /// The time of all threads that were in it, ns.
    pub time: u64,
}

/// All threads and regions.
#[derive(Debug, Default)]
pub struct Accounts {
    /// By thread.
    pub threads: Vec<Account>,
    parts: BTreeMap<(u32, Site), Part>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    own: Sampled,
    inner: Sampled,
    tasks: Sampled,
    elapsed: u64,
    /// The time of samples whose stack ends in the runtime.
    bare: u64,
    time: u64,
    samples: u64,
}

impl Accounts {
    /// Makes the accounts of these threads.
    pub fn new(threads: &[Thread]) -> Accounts {
        let account = |thread: &Thread| {
            let alive = thread.last - thread.first;
            let of = |last: u64, first: u64| last.saturating_sub(first);
            let times =
                thread.times.map(|(first, last)| (of(last.0, first.0), of(last.1, first.1)));
            let (ran, queued) = times.unwrap_or_default();
            let ran = ran.min(alive);
            Account { alive, ran, queued: queued.min(alive - ran), ..Account::default() }
        };
        Accounts { threads: threads.iter().map(account).collect(), ..Accounts::default() }
    }

    /// Adds a sample. `sites`: the regions on its own stack, the innermost first, and whether the
    /// thread began each.
    pub fn add(&mut self, placed: &Placed, sites: &[(Site, bool)]) {
        let class = Class::of(placed.state);
        let account = &mut self.threads[placed.sample.thread as usize];
        account.sampled.add(placed, class);
        account.samples += 1;
        for (depth, (site, has_begun)) in sites.iter().enumerate() {
            let part = self.parts.entry((placed.sample.thread, *site)).or_default();
            if depth > 0 {
                part.inner.add(placed, class);
            } else {
                part.own.add(placed, class);
                part.samples += 1;
                if placed.task_flags & super::regions::EXPLICIT != 0 && class == Class::Work {
                    part.tasks.add(placed, class);
                }
            }
            part.time += placed.sample.since;
            if *has_begun {
                part.elapsed += placed.sample.since;
            } else if placed.is_bare {
                part.bare += placed.sample.since;
            }
        }
    }

    /// Returns a thread's times, by class.
    pub fn times(&self, thread: u32) -> Times {
        let account = &self.threads[thread as usize];
        account.share(&account.sampled)
    }

    /// Returns the regions.
    pub fn regions(&self) -> BTreeMap<Site, Region> {
        let mut regions: BTreeMap<Site, Region> = BTreeMap::new();
        for ((thread, site), part) in &self.parts {
            let account = &self.threads[*thread as usize];
            let region = regions.entry(*site).or_default();
            let own = account.share(&part.own);
            region.times.add(&own);
            let inner = account.share(&part.inner);
            let all = |times: &Times| {
                [times.ran, times.queued, times.slept].iter().flatten().sum::<u64>()
            };
            region.inner += all(&inner);
            region.tasks += account.share(&part.tasks).all(Class::Work);
            // The kernel shows no frame pointer of a thread that sleeps, so a stack may end in the
            // runtime's function that begins the region.
            region.elapsed += part.elapsed + if part.elapsed > 0 { part.bare } else { 0 };
            region.time += part.time;
            let work = own.ran[Class::Work as usize] + all(&inner);
            region.work.insert(*thread, (work, part.samples));
        }
        regions
    }
}

impl Account {
    /// Whether few samples met the thread running. Then the samples between its turns on a
    /// processor also count for its activity in these turns.
    pub fn has_few(&self) -> bool {
        self.sampled.count < FEW
    }

    /// Returns the time that a part of the thread's samples stands for.
    fn share(&self, part: &Sampled) -> Times {
        let slept = self.alive - self.ran - self.queued;
        let (all, mut times) = (&self.sampled, Times::default());
        // If no sample met the thread in one of the three states, the samples in the other states
        // are all that is known. A thread that has no processor in a wait has just been woken: it
        // hardly runs in that wait. A thread that has no processor at work was interrupted in this
        // work: such samples count as work where few samples met the thread running.
        let (all_ran, part_ran) = match self.has_few() {
            true => (with_work(&all.ran, &all.queued), with_work(&part.ran, &part.queued)),
            false => (all.ran, part.ran),
        };
        let (ran, of_ran) =
            first([(all_ran, part_ran), (all.queued, part.queued), (all.slept, part.slept)]);
        let (queued, of_queued) =
            first([(all.queued, part.queued), (all.ran, part.ran), (all.slept, part.slept)]);
        let (asleep, of_slept) =
            first([(all.slept, part.slept), (all.ran, part.ran), (all.queued, part.queued)]);
        for at in 0..CLASSES {
            times.ran[at] = share(self.ran, of_ran[at], ran);
            times.queued[at] = share(self.queued, of_queued[at], queued);
            times.slept[at] = share(slept, of_slept[at], asleep);
        }
        times
    }
}

/// Returns, for the first pair whose first array has a number above 0, that array's sum and the
/// second array.
fn first(all: [([u64; CLASSES], [u64; CLASSES]); 3]) -> (u64, [u64; CLASSES]) {
    let sum = |of: &[u64; CLASSES]| of.iter().sum::<u64>();
    let found = all.into_iter().find(|(all, _)| sum(all) > 0);
    found.map_or((1, [0; CLASSES]), |(all, part)| (sum(&all), part))
}

/// Fewer samples than this say little about how a time is shared out.
const FEW: u64 = 16;

/// Returns the samples on a processor, together with the samples of work without a processor.
fn with_work(ran: &[u64; CLASSES], queued: &[u64; CLASSES]) -> [u64; CLASSES] {
    let mut all = *ran;
    for class in [Class::Serial, Class::Work, Class::Overhead] {
        all[class as usize] += queued[class as usize];
    }
    all
}

fn share(whole: u64, part: u64, of: u64) -> u64 {
    let share = u128::from(whole) * u128::from(part) / u128::from(of.max(1));
    u64::try_from(share).unwrap_or(whole)
}

impl Region {
    /// Returns the number of threads of a team, on average: teams of one construct may run side by
    /// side, and threads come and go.
    pub fn team(&self) -> u64 {
        let all = self.work.len() as u64;
        let threads = (self.time + self.elapsed / 2).checked_div(self.elapsed);
        threads.map_or(all, |threads| threads.clamp(1, all.max(1)))
    }

    /// Returns how much more the busiest thread works than the mean, and the sum of how much less
    /// the others work than the busiest, ns. 0 where that may be chance of the samples.
    pub fn imbalance(&self) -> (u64, u64) {
        let work = || self.work.values();
        let Some((longest, samples)) = work().max().copied() else { return (0, 0) };
        let sum: u64 = work().map(|(work, _)| work).sum();
        let count = self.work.len() as u64;
        let gain = longest - sum / count.max(1);
        // The error of a share from so many samples.
        let doubt = longest as f64 * DEVIATIONS / (samples.max(1) as f64).sqrt();
        match gain as f64 > doubt {
            true => (gain, longest * count - sum),
            false => (0, 0),
        }
    }
}

/// A difference within so many standard deviations may be chance.
const DEVIATIONS: f64 = 3.0;
