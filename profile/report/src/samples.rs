//! All samples of a recording, kept short: a profile has few bytes for each.
//!
//! What must hold: what is kept for a sample is at most six times what its record takes, so that
//! memory stays in proportion to the file. What hardly changes from one sample to the next is kept
//! once.

use std::collections::HashMap;

use omphalos_profile_format::Sample;

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

/// What changes with each sample.
#[derive(Clone, Copy, Debug)]
struct Kept {
    time: u64,
    cpu_time: u64,
    region: u64,
    weight: u32,
    stack: StackIndex,
    /// Its number among the situations.
    situation: u32,
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

/// What threads are in for many samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Situation {
    thread: u32,
    state: u32,
    wait_id: u64,
    region_codeptr: u64,
    thread_num: u32,
    task_flags: u32,
    task_codeptr: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Samples {
    kept: Vec<Kept>,
    situations: Vec<Situation>,
    /// Numbers of situations, while samples are added.
    numbers: HashMap<Situation, u32>,
    more: Vec<More>,
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
        let situation = Situation {
            thread: sample.thread,
            state: sample.state,
            wait_id: sample.wait_id,
            region_codeptr: sample.region_codeptr,
            thread_num: sample.thread_num,
            task_flags: sample.task_flags,
            task_codeptr: sample.task_codeptr,
        };
        let last = self.kept.last().map(|last| last.situation);
        let situation = match last {
            Some(last) if self.situations[last as usize] == situation => last,
            _ => *self.numbers.entry(situation).or_insert_with(|| {
                self.situations.push(situation);
                self.situations.len() as u32 - 1
            }),
        };
        self.kept.push(Kept { time, cpu_time, region, weight, stack, situation, more: 0 });
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
        if self.situations[last.situation as usize].thread != thread {
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
        self.numbers = HashMap::new();
        // In the file each thread's are together, and in order.
        if !self.kept.is_sorted_by_key(|kept| kept.time) {
            self.kept.sort_unstable_by_key(|kept| (kept.time, kept.situation, kept.more));
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

    fn taken(&self, kept: &Kept) -> Taken {
        let &Kept { time, cpu_time, region, weight, stack, situation, more } = kept;
        let Situation {
            thread,
            state,
            wait_id,
            region_codeptr,
            thread_num,
            task_flags,
            task_codeptr,
        } = self.situations[situation as usize];
        let sample = Sample {
            time,
            thread,
            state,
            wait_id,
            stack: u64::from(stack.0),
            region,
            region_codeptr,
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
