//! Parts of the run that are measured: each total counts only these parts.
//!
//! The agent writes all totals where a part begins or ends, and then a record that says so. The
//! state at a part's begin is subtracted from that at its end; all parts are added up. A figure
//! that is no sum (the longest wait, say) stays as it is at the end.

use std::collections::BTreeMap;

use omphalos_profile_format::{
    ConstructTotal, MutexSiteSampling, MutexSiteTotal, Part, RegionSiteTotal, TargetSiteTotal,
    TaskSiteSampling, TaskSiteTotal, ThreadTotal,
};

use super::bounds::{Bounded, LARGEST};
use super::{CallName, CallSums, Recording, Scheduling};

/// The parts of a run in a file.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Begin and end of each; the last one may not have ended.
    spans: Vec<(u64, Option<u64>)>,
    /// The state at the begin of the last part.
    begin: Figures,
    /// The sums of the parts that have ended.
    ended: Figures,
}

/// A thread's totals.
#[derive(Clone, Copy, Debug, Default)]
struct OfThread {
    total: Option<ThreadTotal>,
    scheduling: Option<Scheduling>,
    untimed: u64,
    queued: (u64, u64),
}

/// All totals.
#[derive(Clone, Debug, Default)]
struct Figures {
    threads: BTreeMap<u32, OfThread>,
    regions: BTreeMap<(u64, u64, u32), RegionSiteTotal>,
    queued_regions: BTreeMap<(u64, u64, u32), u64>,
    mutexes: BTreeMap<(u64, u32, u64), MutexSiteTotal>,
    mutex_sampling: BTreeMap<(u64, u32, u64), MutexSiteSampling>,
    tasks: BTreeMap<u64, TaskSiteTotal>,
    task_sampling: BTreeMap<u64, TaskSiteSampling>,
    constructs: BTreeMap<(u64, u32, u64, u32), ConstructTotal>,
    targets: BTreeMap<(u64, u32, u32), TargetSiteTotal>,
    calls: BTreeMap<(u64, CallName), CallSums>,
    computed: Option<u64>,
}

impl Parts {
    /// Returns begin and end of the last part.
    pub(super) fn last_span(&self) -> Option<(u64, Option<u64>)> {
        self.spans.last().copied()
    }
}

impl Recording {
    /// Begins or ends a part.
    pub(super) fn take_part(&mut self, part: &Part) {
        let is_on = self.parts.spans.last().is_none_or(|(_, end)| end.is_none());
        match (part.measured != 0, is_on) {
            (true, _) => {
                if is_on && !self.parts.spans.is_empty() {
                    return;
                }
                self.parts.begin = Figures::of(self).without_open(self);
                self.parts.spans.push((part.time, None));
            }
            (false, true) => {
                let ended = Figures::of(self).since(&self.parts.begin);
                self.parts.ended = std::mem::take(&mut self.parts.ended).and(ended);
                match self.parts.spans.last_mut() {
                    Some((_, end)) => *end = Some(part.time),
                    // Everything so far.
                    None => self.parts.spans.push((self.start(), Some(part.time))),
                }
            }
            (false, false) => {}
        }
    }

    /// Makes totals and samples those of the parts, when all records are read.
    pub(super) fn keep_parts(&mut self) {
        if self.parts.spans.is_empty() {
            return;
        }
        let end = self.last_time();
        if self.parts.spans.last().is_some_and(|(_, end)| end.is_none()) {
            self.take_part(&Part { time: end, measured: 0 });
        } else {
            self.open_regions.clear();
        }
        let parts = std::mem::take(&mut self.parts);
        self.spans = parts.spans.iter().map(|(from, to)| (*from, to.unwrap_or(end))).collect();
        self.spans.retain(|(from, to)| from < to);
        self.spans.sort_unstable();
        let figures = parts.ended;
        for (thread, info) in &mut self.threads {
            let own = figures.threads.get(thread).copied().unwrap_or_default();
            info.total = own.total;
            info.scheduling = own.scheduling;
            (info.untimed, info.queued) = (own.untimed, own.queued);
        }
        self.regions = figures.regions;
        // A difference without an instance belongs to no part: a thread may be told of an end late,
        // and the agent's clock becomes more exact.
        self.regions.retain(|_, total| total.instances > 0);
        self.queued_regions = figures.queued_regions;
        self.mutexes = figures.mutexes;
        self.mutex_sampling = figures.mutex_sampling;
        self.tasks = figures.tasks;
        self.task_sampling = figures.task_sampling;
        self.constructs = figures.constructs;
        self.targets = figures.targets;
        self.calls = figures.calls;
        self.mutexes.retain(|_, total| total.acquisitions > 0);
        self.tasks.retain(|_, total| total.created > 0 || total.executed > 0);
        self.constructs.retain(|_, total| {
            total.instances > 0 || total.entered > 0 || total.open_instances > 0
        });
        self.targets.retain(|_, total| total.executions > 0);
        self.calls.retain(|_, total| total.count > 0);
        self.computed = figures.computed;
        let (spans, period) = (&self.spans, self.period());
        let is_in = |time: u64| spans.iter().any(|(from, to)| (*from..=*to).contains(&time));
        self.target_events.retain(|event| is_in(event.time));
        self.samples.keep(spans, period);
    }

    /// Returns how long was measured, if that is not the whole run, ns.
    pub(crate) fn measured(&self) -> Option<u64> {
        let lengths = self.spans.iter().map(|(from, to)| to.saturating_sub(*from));
        self.has_parts.then(|| lengths.fold(0, u64::saturating_add))
    }
}

impl Figures {
    fn of(recording: &Recording) -> Figures {
        let threads = recording.threads.iter().map(|(thread, info)| {
            let (total, scheduling) = (info.total, info.scheduling);
            (*thread, OfThread { total, scheduling, untimed: info.untimed, queued: info.queued })
        });
        Figures {
            threads: threads.collect(),
            regions: recording.regions.clone(),
            queued_regions: recording.queued_regions.clone(),
            mutexes: recording.mutexes.clone(),
            mutex_sampling: recording.mutex_sampling.clone(),
            tasks: recording.tasks.clone(),
            task_sampling: recording.task_sampling.clone(),
            constructs: recording.constructs.clone(),
            targets: recording.targets.clone(),
            calls: recording.calls.clone(),
            computed: recording.computed,
        }
    }

    /// Counts an instance that goes on at a part's begin to the part, too.
    fn without_open(mut self, recording: &Recording) -> Figures {
        for (key, total) in &mut self.regions {
            let open = recording.open_regions.get(key).copied().unwrap_or(0);
            let ended = total.instances.saturating_sub(open);
            let of_ended = u128::from(total.team_size_sum) * u128::from(ended);
            let of_ended = of_ended / u128::from(total.instances.max(1));
            (total.instances, total.team_size_sum) = (ended, of_ended as u64);
        }
        self
    }

    fn since(self, before: &Figures) -> Figures {
        let threads = self.threads.into_iter().map(|(thread, now)| {
            let then = before.threads.get(&thread).copied().unwrap_or_default();
            (thread, now.since(&then))
        });
        let queued = self.queued_regions.into_iter().map(|(key, now)| {
            let then = before.queued_regions.get(&key).copied().unwrap_or(0);
            (key, now.saturating_sub(then))
        });
        let mut mutexes = since(&self.mutexes, &before.mutexes);
        for (key, mutex) in &mut mutexes {
            mutex.longest_wait = self.mutexes[key].longest_wait.min(mutex.wait);
        }
        let mut tasks = since(&self.tasks, &before.tasks);
        for (key, task) in &mut tasks {
            (task.shortest, task.longest) = (self.tasks[key].shortest, self.tasks[key].longest);
        }
        Figures {
            threads: threads.collect(),
            regions: since(&self.regions, &before.regions),
            queued_regions: queued.filter(|(_, time)| *time > 0).collect(),
            mutexes,
            mutex_sampling: since(&self.mutex_sampling, &before.mutex_sampling),
            tasks,
            task_sampling: since(&self.task_sampling, &before.task_sampling),
            constructs: since(&self.constructs, &before.constructs),
            targets: since(&self.targets, &before.targets),
            calls: since(&self.calls, &before.calls),
            computed: self.computed.map(|now| now.saturating_sub(before.computed.unwrap_or(0))),
        }
    }

    /// Adds a later part.
    fn and(mut self, later: Figures) -> Figures {
        for (thread, other) in later.threads {
            let own = self.threads.entry(thread).or_default();
            *own = own.and(&other);
        }
        for (key, time) in later.queued_regions {
            add(self.queued_regions.entry(key).or_default(), time);
        }
        let before: Vec<((u64, u32, u64), u64)> =
            self.mutexes.iter().map(|(key, mutex)| (*key, mutex.longest_wait)).collect();
        let (last, last_tasks) = (later.mutexes.clone(), later.tasks.clone());
        and(&mut self.mutexes, later.mutexes);
        for (key, longest) in before {
            let later = last.get(&key).map_or(0, |mutex| mutex.longest_wait);
            if let Some(mutex) = self.mutexes.get_mut(&key) {
                mutex.longest_wait = longest.max(later);
            }
        }
        and(&mut self.tasks, later.tasks);
        for (key, task) in last_tasks {
            let all = self.tasks.entry(key).or_default();
            (all.shortest, all.longest) = (task.shortest, task.longest);
        }
        and(&mut self.regions, later.regions);
        and(&mut self.mutex_sampling, later.mutex_sampling);
        and(&mut self.task_sampling, later.task_sampling);
        and(&mut self.constructs, later.constructs);
        and(&mut self.targets, later.targets);
        and(&mut self.calls, later.calls);
        self.computed = match (self.computed, later.computed) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        self
    }
}

impl OfThread {
    fn since(&self, then: &OfThread) -> OfThread {
        let total = self.total.map(|now| now.since(&then.total.unwrap_or_default()));
        let scheduling = self.scheduling.map(|now| now.since(&then.scheduling.unwrap_or_default()));
        let queued = (
            self.queued.0.saturating_sub(then.queued.0),
            self.queued.1.saturating_sub(then.queued.1),
        );
        let untimed = self.untimed.saturating_sub(then.untimed);
        OfThread { total, scheduling, untimed, queued }
    }

    fn and(&self, other: &OfThread) -> OfThread {
        let total = match (self.total, other.total) {
            // The later one gives the time.
            (Some(one), Some(later)) => Some(later.and(&one)),
            (one, later) => later.or(one),
        };
        let scheduling = match (self.scheduling, other.scheduling) {
            (Some(one), Some(later)) => Some(later.and(&one)),
            (one, later) => later.or(one),
        };
        let mut both = OfThread { total, scheduling, ..*self };
        add(&mut both.untimed, other.untimed);
        add(&mut both.queued.0, other.queued.0);
        add(&mut both.queued.1, other.queued.1);
        both
    }
}

fn add(sum: &mut u64, part: u64) {
    *sum = sum.saturating_add(part).min(LARGEST);
}

fn since<K: Copy + Ord, V: Bounded + Default>(
    now: &BTreeMap<K, V>,
    then: &BTreeMap<K, V>,
) -> BTreeMap<K, V> {
    let each = now.iter().map(|(key, total)| match then.get(key) {
        Some(then) => (*key, total.since(then)),
        None => (*key, *total),
    });
    each.filter(|(_, total)| !total.is_nothing()).collect()
}

fn and<K: Copy + Ord, V: Bounded>(sums: &mut BTreeMap<K, V>, more: BTreeMap<K, V>) {
    for (key, total) in more {
        let sum = sums.get(&key).map_or(total, |sum| total.and(sum));
        sums.insert(key, sum);
    }
}
