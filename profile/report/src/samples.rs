//! All samples of a recording, kept short: a profile has few bytes for each.
//!
//! What must hold: a kept sample takes at most six times the memory of its record, so that memory
//! stays in proportion to the file. Values that hardly change from one sample to the next are kept
//! once.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::ops::Range;

use omphalos_profile_format::Sample;

use crate::maps::HashMap;
use crate::recording::{CallName, StackIndex};

/// A sample, its stack, how long its thread was blocked and in which call, and how long it waited
/// for a processor since the thread's sample before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) sample: Sample,
    pub(crate) stack: StackIndex,
    pub(crate) blocked: Option<(CallName, u64)>,
    pub(crate) queued: u64,
    /// For the instruction at the stack's first program counter, and for the one before: how many
    /// bytes before that counter it begins, and the memory that it reads or writes.
    pub(crate) memory: [Option<(u32, u64)>; 2],
    /// The NUMA nodes of the first of these pieces of memory, and of the thread.
    pub(crate) nodes: Option<(u32, u32)>,
}

/// The values that change with each sample, and the numbers of the others.
#[derive(Clone, Copy, Debug)]
struct Kept {
    time: u64,
    region: u64,
    /// The CPU time, if it fits: else it is among [`Samples::more`].
    cpu_time: u32,
    weight: u32,
    stack: StackIndex,
    site: u32,
    situation: u32,
    /// The number, plus 1, of further facts among [`Samples::more`]; 0 = none.
    more: u32,
}

/// The facts from separate records of few samples.
#[derive(Clone, Copy, Debug, Default)]
struct More {
    blocked: Option<(CallName, u64)>,
    queued: u64,
    memory: [Option<(u32, u64)>; 2],
    nodes: Option<(u32, u32)>,
    cpu_time: Option<u64>,
}

/// The state of a thread that lasts for many samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Situation {
    thread: u32,
    thread_num: u32,
    state: u32,
    task_flags: u32,
    wait_id: u64,
    task_codeptr: u64,
}

/// Distinct values, by their numbers.
#[derive(Debug)]
struct Distinct<T> {
    all: Vec<T>,
    /// Used only while samples are added.
    numbers: HashMap<T, u32>,
}

#[derive(Debug, Default)]
pub(crate) struct Samples {
    kept: Vec<Kept>,
    situations: Distinct<Situation>,
    /// `codeptr_ra` of regions.
    sites: Distinct<u64>,
    more: Vec<More>,
}

/// The samples of each thread, by their numbers, in the order of their times.
#[derive(Debug, Default)]
pub(crate) struct ByThread {
    numbers: Vec<u32>,
    threads: Vec<(u32, Range<usize>)>,
}

impl ByThread {
    /// Each thread with its samples.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.threads.iter().map(|(thread, own)| (*thread, &self.numbers[own.clone()]))
    }
}

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct { all: Vec::new(), numbers: HashMap::default() }
    }
}

impl<T: Copy + Eq + Hash> Distinct<T> {
    /// Returns the number of a value, which most often equals that of the sample before.
    fn number(&mut self, value: T, before: Option<u32>) -> u32 {
        match before {
            Some(before) if self.all[before as usize] == value => before,
            _ => *self.numbers.entry(value).or_insert_with(|| {
                self.all.push(value);
                self.all.len() as u32 - 1
            }),
        }
    }
}

impl Samples {
    /// Makes an empty list with room for the usual number of samples in a file of so many bytes. A
    /// list that grows may be in memory twice while it is copied.
    pub(crate) fn for_bytes(bytes: usize) -> Samples {
        /// A sample and its further records take at least so many bytes, except in few files.
        const USUAL: usize = 16;
        Samples { kept: Vec::with_capacity(bytes / USUAL), ..Samples::default() }
    }

    pub(crate) fn push(&mut self, sample: &Sample, stack: StackIndex) {
        let Sample { time, cpu_time, region, weight, .. } = *sample;
        let situation = Situation {
            thread: sample.thread,
            thread_num: sample.thread_num,
            state: sample.state,
            task_flags: sample.task_flags,
            wait_id: sample.wait_id,
            task_codeptr: sample.task_codeptr,
        };
        let last = self.kept.last();
        let (before, of_site) = (last.map(|last| last.situation), last.map(|last| last.site));
        let situation = self.situations.number(situation, before);
        let site = self.sites.number(sample.region_codeptr, of_site);
        let fitting = u32::try_from(cpu_time);
        self.kept.push(Kept {
            time,
            region,
            cpu_time: fitting.unwrap_or(0),
            weight,
            stack,
            site,
            situation,
            more: 0,
        });
        if fitting.is_err()
            && let Some(more) = self.more_of_last(sample.thread)
        {
            more.cpu_time = Some(cpu_time);
        }
    }

    /// Notes the call that the last sample's thread was in, if it is `thread`.
    pub(crate) fn set_call(&mut self, thread: u32, call: CallName, blocked: u64) {
        if let Some(more) = self.more_of_last(thread) {
            more.blocked = Some((call, blocked));
        }
    }

    /// Notes how long the last sample's thread waited for a processor, if it is `thread`.
    pub(crate) fn set_queued(&mut self, thread: u32, queued: u64) {
        if let Some(more) = self.more_of_last(thread) {
            more.queued = queued;
        }
    }

    /// Notes the memory that the last sample's instruction reads or writes, if its thread is
    /// `thread`.
    pub(crate) fn set_memory(&mut self, thread: u32, memory: (u32, u64)) {
        if let Some(more) = self.more_of_last(thread) {
            more.memory[usize::from(memory.0 > 0)] = Some(memory);
        }
    }

    /// Notes the NUMA nodes of that memory and of the last sample's thread, if it is `thread`.
    pub(crate) fn set_nodes(&mut self, thread: u32, nodes: (u32, u32)) {
        if let Some(more) = self.more_of_last(thread) {
            more.nodes = Some(nodes);
        }
    }

    fn more_of_last(&mut self, thread: u32) -> Option<&mut More> {
        let last = self.kept.last_mut()?;
        if self.situations.all[last.situation as usize].thread != thread {
            return None;
        }
        if last.more == 0 {
            self.more.push(More::default());
            last.more = self.more.len() as u32;
        }
        self.more.get_mut(last.more as usize - 1)
    }

    /// Brings the samples into the order of their times. Called once, when all have been added.
    pub(crate) fn sort(&mut self) {
        self.situations.numbers = HashMap::default();
        self.sites.numbers = HashMap::default();
        // In the file, each thread's samples are together and in order.
        if !self.kept.is_sorted_by_key(|kept| kept.time) {
            self.kept.sort_unstable_by_key(|kept| (kept.time, kept.situation, kept.more));
        }
    }

    /// Keeps only the samples in these spans of time, which are in order; a sample stands for no
    /// time before its span.
    pub(crate) fn keep(&mut self, spans: &[(u64, u64)], period: u64) {
        self.kept.retain_mut(|kept| {
            let before = spans.partition_point(|(from, _)| *from <= kept.time);
            let span = before.checked_sub(1).map(|at| spans[at]);
            let Some((from, _)) = span.filter(|(_, to)| kept.time <= *to) else { return false };
            let most = (kept.time - from).div_ceil(period.max(1)).max(1);
            kept.weight = kept.weight.min(u32::try_from(most).unwrap_or(u32::MAX));
            true
        });
    }

    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns all samples in the order of their times.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Taken> {
        self.kept.iter().map(|kept| self.taken(kept))
    }

    /// Returns the sample with this number, in the order of their times.
    pub(crate) fn get(&self, number: u32) -> Taken {
        self.taken(&self.kept[number as usize])
    }

    /// Returns the samples of each thread: sums by thread then take little memory.
    pub(crate) fn by_thread(&self) -> ByThread {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        let mut of_situations = vec![0usize; self.situations.all.len()];
        self.kept.iter().for_each(|kept| of_situations[kept.situation as usize] += 1);
        for (situation, count) in self.situations.all.iter().zip(of_situations) {
            *counts.entry(situation.thread).or_default() += count;
        }
        let mut end = 0;
        let mut threads = Vec::with_capacity(counts.len());
        for (thread, count) in counts {
            threads.push((thread, end..end + count));
            end += count;
        }
        let place = |of: &Situation| threads.partition_point(|(thread, _)| *thread < of.thread);
        let places: Vec<usize> = self.situations.all.iter().map(place).collect();
        let mut next: Vec<usize> = threads.iter().map(|(_, own)| own.start).collect();
        let mut numbers = vec![0; self.kept.len()];
        for (number, kept) in self.kept.iter().enumerate() {
            let next = &mut next[places[kept.situation as usize]];
            numbers[*next] = number as u32;
            *next += 1;
        }
        ByThread { numbers, threads }
    }

    /// Returns the `codeptr_ra` of the regions and of the tasks of samples.
    pub(crate) fn sites(&self) -> (BTreeSet<u64>, BTreeSet<u64>) {
        let mut has_site = vec![false; self.sites.all.len()];
        let mut is_met = vec![false; self.situations.all.len()];
        for kept in &self.kept {
            has_site[kept.site as usize] = true;
            is_met[kept.situation as usize] = true;
        }
        let sites = self.sites.all.iter().zip(has_site);
        let tasks = self.situations.all.iter().zip(is_met);
        (
            sites.filter(|(_, has)| *has).map(|(site, _)| *site).collect(),
            tasks.filter(|(_, has)| *has).map(|(of, _)| of.task_codeptr).collect(),
        )
    }

    fn taken(&self, kept: &Kept) -> Taken {
        let &Kept { time, region, cpu_time, weight, stack, site, situation, more } = kept;
        let more = (more as usize).checked_sub(1).map(|at| self.more[at]).unwrap_or_default();
        let Situation { thread, thread_num, state, task_flags, wait_id, task_codeptr } =
            self.situations.all[situation as usize];
        let sample = Sample {
            time,
            thread,
            state,
            wait_id,
            stack: u64::from(stack.0),
            region,
            region_codeptr: self.sites.all[site as usize],
            thread_num,
            task_flags,
            task_codeptr,
            cpu_time: more.cpu_time.unwrap_or(u64::from(cpu_time)),
            weight,
        };
        let More { blocked, queued, memory, nodes, .. } = more;
        Taken { sample, stack, blocked, queued, memory, nodes }
    }
}
