//! Tables from the agent's exact totals, and from samples where there are none.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::blocked::Blocked;
use super::constructs;
use super::rows::{RegionRow, TaskRow};
use super::sums::{add, total};
use super::whole::ThreadRow;
use super::within::{Handed, Within, part};
use omphalos_profile_format::RegionSiteTotal;

use crate::maps::HashMap;
use crate::ompt::Activity;
use crate::recording::Recording;
use crate::samples::{ByThread, Taken};
use crate::symbols::{Construct, ConstructKind, Symbols};

/// Makes one row for each thread. `true` if every thread had an exact total. Samples fill in the
/// time of a killed program's threads after their last totals. `handed`: the part of each
/// region's work in which the code had called the runtime, by site.
pub(super) fn threads(
    recording: &Recording,
    within: &Within,
    handed: &Handed,
) -> (Vec<ThreadRow>, bool) {
    let period = recording.period();
    let mut sampled: HashMap<u32, ThreadRow> = HashMap::default();
    for Taken { sample, .. } in recording.samples.iter() {
        let total = recording.threads.get(&sample.thread).and_then(|thread| thread.total);
        if total.is_some_and(|total| recording.end.is_some() || sample.time <= total.time) {
            continue;
        }
        let row = sampled.entry(sample.thread).or_default();
        let time = period.saturating_mul(u64::from(sample.weight.max(1)));
        let class = match Activity::of_state(sample.state) {
            Activity::Serial => &mut row.serial_work,
            Activity::Parallel | Activity::Reduction => &mut row.work,
            Activity::ImplicitBarrier | Activity::ExplicitBarrier => &mut row.barrier_wait,
            Activity::Taskwait | Activity::Taskgroup | Activity::Target => &mut row.task_wait,
            Activity::Lock | Activity::Critical | Activity::Atomic | Activity::Ordered => {
                &mut row.mutex_wait
            }
            Activity::Idle => &mut row.idle,
            Activity::Blocked => &mut row.blocked,
            Activity::Overhead => &mut row.overhead,
            Activity::Mpi => &mut row.mpi,
        };
        add(class, time);
        row.samples += 1;
        row.missed += u64::from(sample.weight.saturating_sub(1));
    }
    let mut exact = true;
    let mut rows = Vec::new();
    // The runtime's part of the regions' work beyond the work of the threads whose samples showed
    // it: on a busy machine a thread may have samples in work for which it had no processor.
    let mut left = 0;
    for (&thread, info) in &recording.threads {
        // All of a thread's samples, or those after its total.
        let mut row = sampled.get(&thread).copied().unwrap_or_default();
        match &info.total {
            Some(total) => {
                add(&mut row.work, total.work);
                add(&mut row.serial_work, total.serial_work);
                add(&mut row.idle, total.idle);
                add(&mut row.barrier_wait, total.barrier_wait);
                add(&mut row.mutex_wait, total.mutex_wait);
                add(&mut row.task_wait, total.task_wait);
                add(&mut row.overhead, total.overhead);
                add(&mut row.samples, total.samples);
                add(&mut row.missed, total.missed);
                add(&mut row.agent, total.agent);
                row.untimed = info.untimed.min(total.alive);
                // If no sample was added, the total is exact: the agent's classes add up to it.
                row.alive = if sampled.contains_key(&thread) {
                    row.openmp_work() + row.blocked + row.openmp_wait()
                } else {
                    total.alive
                };
            }
            None => {
                exact = false;
                row.alive = row.openmp_work() + row.blocked + row.openmp_wait();
            }
        }
        if let Some(known) = info.scheduling {
            (row.running, row.runnable) = (known.running, known.runnable);
        }
        row.take_parts(info.scheduling, info.queued, info.mpi);
        let of_serial = part(row.serial_work, within.serial(thread).share());
        row.serial_work -= of_serial;
        add(&mut row.overhead, of_serial);
        let of_work = within.of_thread(handed, thread);
        add(&mut left, of_work.saturating_sub(row.work));
        row.take_runtimes(of_work);
        row.thread = thread;
        row.os_tid = info.os_tid;
        row.kind = info.kind;
        if row.alive > 0 {
            rows.push(row);
        }
    }
    let work = total(rows.iter().map(|row| row.work));
    for row in &mut rows {
        row.take_runtimes(part(left, (row.work, work)));
    }
    (rows, exact)
}

/// Returns how long the threads of a construct's regions were in calls of MPI, ns.
fn mpi_in(recording: &Recording, codeptr_ra: u64) -> u64 {
    let own = recording.mpi_calls.values().filter(|call| call.region_codeptr == codeptr_ra);
    own.map(|call| call.elapsed).fold(0, u64::saturating_add)
}

/// Makes one row for each construct, place in the nest, and enclosing construct: the longest first,
/// nested ones below the one that encloses them. Also returns the runtime's part of their work.
pub(super) fn regions(
    recording: &Recording,
    symbols: &Symbols,
    within: &Within,
    blocked: &Blocked,
    by_thread: &ByThread,
) -> (Vec<RegionRow>, Handed) {
    let mut handed_out = Handed::default();
    let mut rows: BTreeMap<(Rc<str>, u32, Rc<str>), RegionRow> = BTreeMap::new();
    for (&place, total) in &recording.regions {
        let construct = symbols.construct(total.codeptr_ra, ConstructKind::Region);
        let parent = (total.parent_codeptr != 0)
            .then(|| symbols.construct(total.parent_codeptr, ConstructKind::Region));
        let key = (
            construct.label.clone(),
            total.level,
            parent.as_ref().map_or_else(|| "".into(), |parent| parent.label.clone()),
        );
        let row = rows.entry(key).or_insert_with(|| empty_region(construct, parent, total.level));
        let queued = recording.queued_regions.get(&place).copied().unwrap_or(0).min(total.work);
        let asleep = blocked.in_region(place).min(total.work - queued);
        let task_work = total.task_work.saturating_sub(blocked.in_tasks_of(place));
        let mpi = part(mpi_in(recording, place.0), blocked.share(place));
        let mpi = mpi.min(total.work - queued - asleep);
        let work = total.work - queued - asleep - mpi;
        // Sleep that no sample met may have been in tasks.
        let total = RegionSiteTotal { work, task_work: task_work.min(work), ..*total };
        row.is_counted = recording.attached.is_none();
        add(&mut row.without_cpu, queued);
        add(&mut row.blocked, asleep);
        add(&mut row.mpi, mpi);
        add_calls(recording, total.codeptr_ra, blocked.share(place), &mut row.calls);
        let runtimes = within.region(total.codeptr_ra).share();
        let handed = part(total.work, runtimes);
        add(handed_out.entry(total.codeptr_ra).or_default(), handed);
        let in_tasks = part(total.task_work, runtimes);
        for (sum, part) in [
            (&mut row.instances, total.instances),
            (&mut row.elapsed, total.elapsed),
            (&mut row.team_size_sum, total.team_size_sum),
            (&mut row.work, total.work - handed),
            (&mut row.barrier_wait, total.barrier_wait),
            (&mut row.mutex_wait, total.mutex_wait),
            (&mut row.task_wait, total.task_wait),
            (&mut row.overhead, total.overhead.saturating_add(handed)),
            (&mut row.handing_out, handed),
            (&mut row.imbalance, total.imbalance),
            (&mut row.gain, total.gain),
            (&mut row.tasks_created, total.tasks_created),
            (&mut row.tasks_executed, total.tasks_executed),
            (&mut row.task_work, total.task_work - in_tasks),
            (&mut row.implementation_barriers, total.implementation_barriers),
        ] {
            add(sum, part);
        }
    }
    let mut rows: Vec<RegionRow> = rows.into_values().collect();
    for row in &mut rows {
        row.calls.sort_by_key(|(_, _, time)| std::cmp::Reverse(*time));
    }
    let cpu_times = cpu_times(recording, symbols, by_thread);
    let cpus = recording.usable_cpus();
    for row in &mut rows {
        let Some(times) = cpu_times.get(&row.construct.label) else { continue };
        let longest = times.longest as f64;
        let mean = times.sum / row.team_size().max(times.threads as f64).max(1.0);
        row.cpu_threads = times.threads;
        row.cpu_imbalance = if longest > 0.0 { 1.0 - mean / longest } else { 0.0 };
    }
    // Even in perfect balance, the work takes its time divided by the number of processors. Regions
    // inside of others run side by side, and no longer than the one around them.
    let mut around: HashMap<Rc<str>, u64> = HashMap::default();
    for row in &rows {
        add(around.entry(row.construct.label.clone()).or_default(), row.elapsed);
    }
    for row in rows.iter_mut().filter(|_| cpus > 0) {
        let outer = row.parent.as_ref().and_then(|outer| around.get(&outer.label));
        let longest = row.elapsed.min(outer.copied().unwrap_or(u64::MAX));
        row.gain = row.gain.min(longest.saturating_sub(row.work / u64::from(cpus)));
    }
    constructs::add_to(&mut rows, recording, symbols, &handed_out);
    (nest(rows), handed_out)
}

/// Orders rows, the longest first. A nested row stands below the row that encloses it, and if
/// several rows of one construct could enclose it, below the longest. Rows that nothing
/// encloses come last.
fn nest(mut rows: Vec<RegionRow>) -> Vec<RegionRow> {
    rows.sort_by_key(|row| std::cmp::Reverse((row.elapsed, row.instances)));
    let mut longest: HashMap<(Rc<str>, u32), usize> = HashMap::default();
    for (at, row) in rows.iter().enumerate() {
        longest.entry((row.construct.label.clone(), row.level)).or_insert(at);
    }
    let (mut outermost, mut left) = (Vec::new(), Vec::new());
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    for (at, row) in rows.iter().enumerate() {
        let outer = |parent: &Rc<Construct>| {
            longest.get(&(parent.label.clone(), row.level.checked_sub(1)?)).copied()
        };
        match row.parent.as_ref().and_then(outer) {
            Some(outer) => below[outer].push(at),
            None if row.level > 1 => left.push(at),
            None => outermost.push(at),
        }
    }
    let mut rows: Vec<Option<RegionRow>> = rows.into_iter().map(Some).collect();
    let mut nest = Vec::with_capacity(rows.len());
    let mut next: Vec<usize> = outermost.into_iter().chain(left).rev().collect();
    while let Some(at) = next.pop() {
        nest.extend(rows[at].take());
        next.extend(below[at].iter().rev());
    }
    nest
}

/// Returns the calls in which threads were blocked outside any region, the longest first.
pub(super) fn serial_calls(recording: &Recording) -> Vec<(Rc<str>, u64, u64)> {
    let mut calls = Vec::new();
    add_calls(recording, 0, (1, 1), &mut calls);
    calls.sort_by_key(|(_, _, time)| std::cmp::Reverse(*time));
    calls
}

/// Adds the calls at a region's site, or outside regions for 0. `share`: the fraction that counts.
fn add_calls(
    recording: &Recording,
    site: u64,
    share: (u64, u64),
    calls: &mut Vec<(Rc<str>, u64, u64)>,
) {
    for (name, sums) in recording.calls_in(site) {
        let (more, asleep) = (part(sums.count, share), part(sums.blocked, share));
        if (more, asleep) == (0, 0) {
            continue;
        }
        match calls.iter_mut().find(|(known, _, _)| known == name) {
            Some((_, count, time)) => {
                *count = count.saturating_add(more);
                *time = time.saturating_add(asleep);
            }
            None => calls.push((name.clone(), more, asleep)),
        }
    }
}

fn empty_region(construct: Rc<Construct>, parent: Option<Rc<Construct>>, level: u32) -> RegionRow {
    RegionRow {
        construct,
        parent,
        level,
        instances: 0,
        is_counted: true,
        elapsed: 0,
        team_size_sum: 0,
        work: 0,
        without_cpu: 0,
        barrier_wait: 0,
        mutex_wait: 0,
        task_wait: 0,
        overhead: 0,
        handing_out: 0,
        imbalance: 0,
        imbalance_at_barriers: 0,
        gain: 0,
        tasks_created: 0,
        tasks_executed: 0,
        task_work: 0,
        implementation_barriers: 0,
        blocked: 0,
        mpi: 0,
        calls: Vec::new(),
        constructs: Vec::new(),
        cpu_imbalance: 0.0,
        cpu_threads: 0,
    }
}

/// CPU time of the threads at work in one construct's regions, by samples, ns.
#[derive(Default)]
struct CpuTimes {
    threads: u64,
    longest: u64,
    sum: f64,
}

/// Returns these by the constructs' labels.
fn cpu_times(
    recording: &Recording,
    symbols: &Symbols,
    by_thread: &ByThread,
) -> HashMap<Rc<str>, CpuTimes> {
    let mut labels: HashMap<u64, Rc<str>> = HashMap::default();
    let mut all: HashMap<Rc<str>, CpuTimes> = HashMap::default();
    let mut of_sites: HashMap<u64, u64> = HashMap::default();
    let mut own: HashMap<Rc<str>, u64> = HashMap::default();
    for (_, numbers) in by_thread.iter() {
        for &number in numbers {
            let Taken { sample, .. } = recording.samples.get(number);
            if Activity::of_state(sample.state) == Activity::Parallel && sample.region != 0 {
                let forked = recording.forks.get(&sample.region).map(|(fork, _)| fork.codeptr_ra);
                let time = of_sites.entry(forked.unwrap_or(sample.region_codeptr)).or_default();
                *time = time.saturating_add(sample.cpu_time);
            }
        }
        // Several calls may belong to one construct.
        for (site, time) in of_sites.drain() {
            let label = || symbols.construct(site, ConstructKind::Region).label.clone();
            let sum = own.entry(labels.entry(site).or_insert_with(label).clone()).or_default();
            *sum = sum.saturating_add(time);
        }
        for (label, time) in own.drain() {
            let times = all.entry(label).or_default();
            times.threads += 1;
            times.longest = times.longest.max(time);
            times.sum += time as f64;
        }
    }
    all
}

/// Makes one row for each task construct, most work first.
pub(super) fn tasks(
    recording: &Recording,
    symbols: &Symbols,
    within: &Within,
    blocked: &Blocked,
) -> Vec<TaskRow> {
    let mut rows: BTreeMap<Rc<str>, TaskRow> = BTreeMap::new();
    // A task that gcc's code made for a target construct has the same place as the construct.
    let is_target = |site: u64| {
        let mut of = recording.targets.range((site, 0, 0)..=(site, u32::MAX, u32::MAX));
        of.any(|(_, target)| target.target_kind != 0)
    };
    for total in recording.tasks.values().filter(|total| !is_target(total.codeptr_ra)) {
        let construct = symbols.construct(total.codeptr_ra, ConstructKind::Task);
        let row = rows.entry(construct.label.clone()).or_insert_with(|| TaskRow {
            construct,
            created: 0,
            executed: 0,
            stolen: 0,
            work: 0,
            blocked: 0,
            shortest: u64::MAX,
            longest: 0,
            timed: 0,
            deviation: 0,
        });
        let sampling = recording.task_sampling.get(&total.codeptr_ra);
        let timed = sampling.map_or(total.executed, |sampling| sampling.seen);
        add(&mut row.timed, timed);
        // Variances add up.
        let deviation = sampling.map_or(0, |sampling| sampling.deviation) as f64;
        row.deviation = (row.deviation as f64).hypot(deviation) as u64;
        add(&mut row.created, total.created);
        add(&mut row.executed, total.executed);
        add(&mut row.stolen, total.stolen);
        let asleep = blocked.in_tasks(total.codeptr_ra).min(total.work);
        let work = total.work - asleep;
        add(&mut row.blocked, asleep);
        let in_runtime = part(work, within.task(total.codeptr_ra).share());
        add(&mut row.work, work - in_runtime);
        row.longest = row.longest.max(total.longest);
        if total.executed > 0 {
            row.shortest = row.shortest.min(total.shortest);
        }
    }
    let mut rows: Vec<TaskRow> = rows.into_values().collect();
    for row in &mut rows {
        row.shortest = row.shortest.min(row.longest);
    }
    rows.sort_by_key(|row| std::cmp::Reverse((row.work, row.executed)));
    rows
}
