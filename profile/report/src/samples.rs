//! All samples of a recording, kept short: a profile has few bytes for each.
//!
//! What must hold: what is kept for a sample is at most six times what its record takes, so that
//! memory stays in proportion to the file. What hardly changes from one sample to the next is kept
//! once.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::ops::Range;

use omphalos_profile_format::Sample;

use crate::maps::HashMap;
use crate::recording::{CallName, StackIndex};

/// A sample, its stack, what part of its time the thread was blocked, in which call, and how long
/// it waited for a processor since the thread's sample before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) sample: Sample,
    pub(crate) stack: StackIndex,
    pub(crate) blocked: Option<(CallName, u64)>,
    pub(crate) queued: u64,
    /// How many bytes before the stack's first program counter an instruction begins, and which
    /// memory it reads or writes: of the one there, and of the one before.
    pub(crate) memory: [Option<(u32, u64)>; 2],
}

/// What changes with each sample, and the numbers of what does not.
#[derive(Clone, Copy, Debug)]
struct Kept {
    time: u64,
    cpu_time: u64,
    region: u64,
    weight: u32,
    stack: StackIndex,
    member: u32,
    site: u32,
    doing: u32,
    /// The number among [`Samples::more`] of what else is known of it, and 1; 0 = nothing.
    more: u32,
}

/// What records of their own say of few samples.
#[derive(Clone, Copy, Debug, Default)]
struct More {
    blocked: Option<(CallName, u64)>,
    queued: u64,
    memory: [Option<(u32, u64)>; 2],
}

/// A thread, and its number in a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Member {
    thread: u32,
    thread_num: u32,
}

/// What threads do for many samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Doing {
    state: u32,
    task_flags: u32,
    wait_id: u64,
    task_codeptr: u64,
}

/// Values, each once, by their numbers.
#[derive(Debug)]
struct Distinct<T> {
    all: Vec<T>,
    /// While samples are added.
    numbers: HashMap<T, u32>,
}

#[derive(Debug, Default)]
pub(crate) struct Samples {
    kept: Vec<Kept>,
    members: Distinct<Member>,
    /// `codeptr_ra` of regions.
    sites: Distinct<u64>,
    doing: Distinct<Doing>,
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
    /// The number of a value, which is most often that of the sample before.
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
    /// An empty list with room for all samples that a file of so many bytes may hold. A list that
    /// grows is in memory twice while it is copied.
    pub(crate) fn for_bytes(bytes: usize) -> Samples {
        /// No record of a sample is shorter.
        const SHORTEST: usize = 8;
        Samples { kept: Vec::with_capacity(bytes / SHORTEST), ..Samples::default() }
    }

    pub(crate) fn push(&mut self, sample: &Sample, stack: StackIndex) {
        let Sample { time, cpu_time, region, weight, .. } = *sample;
        let member = Member { thread: sample.thread, thread_num: sample.thread_num };
        let doing = Doing {
            state: sample.state,
            task_flags: sample.task_flags,
            wait_id: sample.wait_id,
            task_codeptr: sample.task_codeptr,
        };
        let last = self.kept.last();
        let (of_member, of_site) = (last.map(|last| last.member), last.map(|last| last.site));
        let of_doing = last.map(|last| last.doing);
        let member = self.members.number(member, of_member);
        let site = self.sites.number(sample.region_codeptr, of_site);
        let doing = self.doing.number(doing, of_doing);
        self.kept.push(Kept {
            time,
            cpu_time,
            region,
            weight,
            stack,
            member,
            site,
            doing,
            more: 0,
        });
    }

    /// The call that the last sample's thread was in, if it is `thread`.
    pub(crate) fn set_call(&mut self, thread: u32, call: CallName, blocked: u64) {
        if let Some(more) = self.more_of_last(thread) {
            more.blocked = Some((call, blocked));
        }
    }

    /// How long the last sample's thread waited for a processor, if it is `thread`.
    pub(crate) fn set_queued(&mut self, thread: u32, queued: u64) {
        if let Some(more) = self.more_of_last(thread) {
            more.queued = queued;
        }
    }

    /// The memory that the last sample's instruction reads or writes, if its thread is `thread`.
    pub(crate) fn set_memory(&mut self, thread: u32, memory: (u32, u64)) {
        if let Some(more) = self.more_of_last(thread) {
            more.memory[usize::from(memory.0 > 0)] = Some(memory);
        }
    }

    fn more_of_last(&mut self, thread: u32) -> Option<&mut More> {
        let last = self.kept.last_mut()?;
        if self.members.all[last.member as usize].thread != thread {
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
        self.members.numbers = HashMap::default();
        self.sites.numbers = HashMap::default();
        self.doing.numbers = HashMap::default();
        // In the file each thread's are together, and in order.
        if !self.kept.is_sorted_by_key(|kept| kept.time) {
            self.kept.sort_unstable_by_key(|kept| (kept.time, kept.member, kept.more));
        }
    }

    /// Keeps what was in these spans of time, which are in order; a sample stands for no time
    /// before its span.
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

    /// In the order of their times.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Taken> {
        self.kept.iter().map(|kept| self.taken(kept))
    }

    /// The one with this number, in the order of their times.
    pub(crate) fn get(&self, number: u32) -> Taken {
        self.taken(&self.kept[number as usize])
    }

    /// Those of each thread: what is counted by thread is so counted in little memory.
    pub(crate) fn by_thread(&self) -> ByThread {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        let mut of_members = vec![0usize; self.members.all.len()];
        self.kept.iter().for_each(|kept| of_members[kept.member as usize] += 1);
        for (member, count) in self.members.all.iter().zip(of_members) {
            *counts.entry(member.thread).or_default() += count;
        }
        let mut end = 0;
        let mut threads = Vec::with_capacity(counts.len());
        for (thread, count) in counts {
            threads.push((thread, end..end + count));
            end += count;
        }
        let place =
            |member: &Member| threads.partition_point(|(thread, _)| *thread < member.thread);
        let places: Vec<usize> = self.members.all.iter().map(place).collect();
        let mut next: Vec<usize> = threads.iter().map(|(_, own)| own.start).collect();
        let mut numbers = vec![0; self.kept.len()];
        for (number, kept) in self.kept.iter().enumerate() {
            let next = &mut next[places[kept.member as usize]];
            numbers[*next] = number as u32;
            *next += 1;
        }
        ByThread { numbers, threads }
    }

    /// `codeptr_ra` of the regions and of the tasks that samples are in.
    pub(crate) fn sites(&self) -> (BTreeSet<u64>, BTreeSet<u64>) {
        let mut has_site = vec![false; self.sites.all.len()];
        let mut is_done = vec![false; self.doing.all.len()];
        for kept in &self.kept {
            has_site[kept.site as usize] = true;
            is_done[kept.doing as usize] = true;
        }
        let sites = self.sites.all.iter().zip(has_site);
        let tasks = self.doing.all.iter().zip(is_done);
        (
            sites.filter(|(_, has)| *has).map(|(site, _)| *site).collect(),
            tasks.filter(|(_, has)| *has).map(|(doing, _)| doing.task_codeptr).collect(),
        )
    }

    fn taken(&self, kept: &Kept) -> Taken {
        let &Kept { time, cpu_time, region, weight, stack, member, site, doing, more } = kept;
        let Member { thread, thread_num } = self.members.all[member as usize];
        let Doing { state, task_flags, wait_id, task_codeptr } = self.doing.all[doing as usize];
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
            cpu_time,
            weight,
        };
        let more = (more as usize).checked_sub(1).map(|at| self.more[at]);
        let More { blocked, queued, memory } = more.unwrap_or_default();
        Taken { sample, stack, blocked, queued, memory }
    }
}
