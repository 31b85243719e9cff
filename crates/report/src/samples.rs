//! All samples of a recording, kept short: a profile has few bytes for each.
//!
//! What must hold: what is kept for a sample is at most six times what its record takes, so that
//! memory stays in proportion to the file. What hardly changes from one sample to the next is kept
//! once.

use std::collections::HashMap;

use omphalos_profile_format::Sample;

use crate::recording::{CallName, StackIndex};

/// A sample, its stack, and what part of its time the thread was blocked, in which call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) sample: Sample,
    pub(crate) stack: StackIndex,
    pub(crate) blocked: Option<(CallName, u64)>,
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
    /// Its number among the calls, and 1; 0 = none.
    call: u32,
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
    calls: Vec<(CallName, u64)>,
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
        self.kept.push(Kept { time, cpu_time, region, weight, stack, situation, call: 0 });
    }

    /// The call that the last sample's thread was in, if it is `thread`.
    pub(crate) fn set_call(&mut self, thread: u32, call: CallName, blocked: u64) {
        if let Some(last) = self.kept.last_mut()
            && self.situations[last.situation as usize].thread == thread
        {
            self.calls.push((call, blocked));
            last.call = self.calls.len() as u32;
        }
    }

    /// Brings the samples into the order of their times. Called once, when all have been added.
    pub(crate) fn sort(&mut self) {
        self.numbers = HashMap::new();
        // In the file each thread's are together, and in order.
        if !self.kept.is_sorted_by_key(|kept| kept.time) {
            self.kept.sort_unstable_by_key(|kept| (kept.time, kept.situation, kept.call));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }

    /// In the order of their times.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Taken> {
        self.kept.iter().map(|kept| self.taken(kept))
    }

    fn taken(&self, kept: &Kept) -> Taken {
        let &Kept { time, cpu_time, region, weight, stack, situation, call } = kept;
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
        let blocked = (call as usize).checked_sub(1).map(|at| self.calls[at]);
        Taken { sample, stack, blocked }
    }
}
