//! Threads that are placed badly: too many on too few CPUs while others are left out, two on the
//! hyper-threads of one core, on cores of unequal speed, stopped by the control group.
//!
//! What must hold: where a thread may run is a fact, whatever else the machine did. But the report
//! says that a CPU was left idle only where the machine's figures say so.

mod alone;
mod cores;
mod quota;

use super::{BUSY, Disease, Finding, duration, percent};
use crate::Analysis;
use crate::model::{RegionRow, ThreadRow, ratio, total};
use crate::placement::{self, Cpus, cause, named};
pub(crate) use quota::is_throttled;

/// A thread with less than this share of the busiest thread's work is not busy.
const BUSY_THREAD: f64 = 0.2;
/// A thread that runs on one CPU for this share of its time stays there.
const STAYS: f64 = 0.9;

/// Returns the findings, and the doubts: findings on a machine that was known to be idle otherwise.
pub(super) fn find(analysis: &Analysis) -> (Vec<Finding>, Vec<String>) {
    let busy = busy(analysis);
    if let Some(finding) = quota::find(analysis, &busy) {
        return (vec![finding], Vec::new());
    }
    match too_few(analysis, &busy).or_else(|| alone::find(analysis)) {
        Some(finding) => (vec![finding], Vec::new()),
        None => cores::shared(analysis, &busy),
    }
}

/// As [`cores::blame`]: findings of imbalance that slow cores explain become findings of those.
pub(super) fn blame_slow_cores(analysis: &Analysis, findings: &mut [Finding]) {
    cores::blame(analysis, &busy(analysis), findings);
}

/// A thread with work, and its CPUs.
struct Busy<'a> {
    row: &'a ThreadRow,
    /// The CPUs that it may use.
    allowed: &'a Cpus,
    /// The CPU that it stayed on although it may use others.
    stayed: Option<u32>,
    /// The CPU that it ran on most.
    main: Option<u32>,
}

impl Busy<'_> {
    /// The CPUs that it is held to.
    fn held_to(&self) -> Cpus {
        self.stayed.map_or_else(|| self.allowed.clone(), |cpu| Cpus::from([cpu]))
    }
}

fn wanted(row: &ThreadRow) -> u64 {
    row.openmp_work().saturating_add(row.without_cpu)
}

fn busy(analysis: &Analysis) -> Vec<Busy<'_>> {
    let most = analysis.threads().iter().map(wanted).max().unwrap_or(0);
    let is_busy = |row: &&ThreadRow| ratio(wanted(row), most) >= BUSY_THREAD;
    let known = analysis.threads().iter().filter(is_busy).filter_map(|row| {
        let place = analysis.placement().threads.get(&row.thread)?;
        let main = place.main_cpu();
        let stays = main.filter(|(_, share)| *share >= STAYS && place.allowed.len() > 1);
        let [stayed, main] = [stays, main].map(|main| main.map(|(cpu, _)| cpu));
        (!place.allowed.is_empty()).then_some(Busy { row, allowed: &place.allowed, stayed, main })
    });
    known.collect()
}

/// Finds threads that share too few CPUs, while the machine has others.
fn too_few(analysis: &Analysis, busy: &[Busy]) -> Option<Finding> {
    let placement = analysis.placement();
    let (crowd, cpus, by_mask) = crowd(busy)?;
    let is_in = |one: &&Busy| crowd.iter().any(|other| other.row.thread == one.row.thread);
    let mut used = cpus.clone();
    used.extend(busy.iter().filter(|one| !is_in(one)).filter_map(|one| one.main));
    let mut others: Cpus = placement.online.difference(&used).copied().collect();
    if !by_mask {
        // If only the system placed them, it had no choice of others.
        others.retain(|cpu| crowd.iter().all(|one| one.allowed.contains(cpu)));
    }
    if others.is_empty() || (!by_mask && !cores::are_idle(analysis, others.len())) {
        return None;
    }
    let (place, cost) = cost(analysis, cpus.len())?;
    let queued = total(crowd.iter().map(|one| one.row.without_cpu));
    let time = total(crowd.iter().map(|one| wanted(one.row)));
    let all = match (crowd.len(), crowd.len() == analysis.threads().len()) {
        (2, true) => "both".to_owned(),
        (threads, true) => format!("all {threads}"),
        (threads, false) => threads.to_string(),
    };
    let cause = cause(placement, &analysis.summary().environment, &cpus, by_mask);
    // Neighbours on the machine, such as a job's other ranks, may be on the others.
    let others = match cores::are_idle(analysis, others.len()) {
        true => format!("while {} {} left out", named(&others), is_or_are(&others)),
        false => format!("of the machine's {}", named(&placement.online)),
    };
    let evidence = format!(
        "{all} threads share {} {others}: {}; {} of their work ({}) they had no CPU",
        named(&cpus),
        cause.who,
        percent(ratio(queued, time)),
        duration(queued as f64),
    );
    Some(at(Disease::Placement, place, cost, evidence, cause.cure))
}

/// Returns the threads that outnumber the CPUs that they are held to, and those CPUs; whether masks
/// do that.
fn crowd<'a>(busy: &'a [Busy<'a>]) -> Option<(Vec<&'a Busy<'a>>, Cpus, bool)> {
    let masks: Vec<Cpus> = busy.iter().map(|one| one.allowed.clone()).collect();
    let held: Vec<Cpus> = busy.iter().map(Busy::held_to).collect();
    let by_mask = placement::crowd(&masks).map(|found| (found, true));
    let ((threads, cpus), by_mask) =
        by_mask.or_else(|| placement::crowd(&held).map(|found| (found, false)))?;
    Some((threads.iter().map(|at| &busy[*at]).collect(), cpus, by_mask))
}

/// Returns the region that loses the most by waits for CPUs, and the loss of all, ns: as long as
/// threads wait at barriers for those without a CPU.
fn cost(analysis: &Analysis, cpus: usize) -> Option<(&RegionRow, u64)> {
    let loss = |row: &RegionRow| {
        let lost = row.barrier_wait.saturating_add(row.overhead).saturating_add(row.without_cpu);
        (row.elapsed as f64 * ratio(lost, row.thread_time()).min(1.0)) as u64
    };
    let is_team = |row: &&RegionRow| row.level == 1 && row.team_size() > 1.25;
    // Only where threads lack a CPU, and do not wait for each other.
    let is_crowded = |row: &&RegionRow| {
        ratio(row.work + row.without_cpu, row.elapsed) >= BUSY * cpus as f64
            || super::nested::meets_often(row)
    };
    let rows = || analysis.regions().iter().filter(is_team).filter(is_crowded);
    let most = rows().max_by_key(|row| loss(row))?;
    Some((most, total(rows().map(loss))))
}

fn is_or_are(cpus: &Cpus) -> &'static str {
    if cpus.len() == 1 { "is" } else { "are" }
}

fn at(
    disease: Disease,
    row: &RegionRow,
    cost: u64,
    evidence: String,
    advice: &'static str,
) -> Finding {
    Finding {
        disease,
        place: row.construct.label.clone(),
        file: row.construct.file.clone(),
        line: row.construct.line,
        cost,
        evidence,
        advice,
    }
}
