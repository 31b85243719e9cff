//! Finds two busy threads on the hyper-threads of one core, and threads on slow cores. The rules in
//! this folder call it.

use super::{Busy, Disease, Finding, at, is_or_are};
use crate::Analysis;
use crate::diagnosis::{duration, percent};
use crate::model::{RegionRow, ratio, total};
use crate::placement::{Cpus, cause, cores_of, named, shared_cores};

/// The share of its time that a team saves, as a rule at least, if threads that share a core get a
/// core each.
const SHARED_CORE: f64 = 0.25;
/// The least ratio of the mean work of threads on slow cores to that of threads on fast ones.
const SLOWER: f64 = 1.15;

/// Whether the CPUs that the program does not use, `cpus` in number, were idle for at least half of
/// the time. The machine's figures say so.
pub(super) fn are_idle(analysis: &Analysis, cpus: usize) -> bool {
    let summary = analysis.summary();
    let all = analysis.placement().online.len();
    // Threads of the program that use no OpenMP have CPUs, too.
    let own = ratio(summary.others, summary.covered);
    summary.other_programs.is_some_and(|others| others * all as f64 + own <= 0.5 * cpus as f64)
}

/// Finds threads that share cores while other cores are left out.
pub(super) fn shared(analysis: &Analysis, busy: &[Busy]) -> (Vec<Finding>, Vec<String>) {
    let placement = analysis.placement();
    let held: Vec<Cpus> = busy.iter().map(Busy::held_to).collect();
    let main: Vec<Option<u32>> = busy.iter().map(|one| one.main).collect();
    let Some((shared, left)) = shared_cores(placement, &held, &main) else {
        return (Vec::new(), Vec::new());
    };
    let shared: Vec<&Busy> = shared.iter().map(|at| &busy[*at]).collect();
    let is_team = |row: &&RegionRow| row.level == 1 && row.team_size() > 1.25;
    let rows = || analysis.regions().iter().filter(is_team);
    let Some(longest) = rows().max_by_key(|row| row.elapsed) else {
        return (Vec::new(), Vec::new());
    };
    let cpus: Cpus = shared.iter().filter_map(|one| one.main).collect();
    let cores = cores_of(placement, &cpus).len();
    let said = format!(
        "{} of {} busy threads run in twos on the hyper-threads of {cores} core{} ({}), while {} \
         core{} of {} {} left out",
        shared.len(),
        busy.len(),
        if cores == 1 { "" } else { "s" },
        named(&cpus),
        left.len(),
        if left.len() == 1 { "" } else { "s" },
        cores_of(placement, &placement.online).len(),
        is_or_are(&left),
    );
    if !are_idle(analysis, left.len()) {
        let why = "other programs may have had those: record again on an idle machine";
        return (Vec::new(), vec![format!("{said}; {why}")]);
    }
    let team = total(rows().map(|row| row.elapsed));
    let allowed: Cpus = shared.iter().flat_map(|one| one.allowed).copied().collect();
    let by_mask = cores_of(placement, &allowed).is_disjoint(&left);
    let cause = cause(placement, &analysis.summary().environment, &allowed, by_mask);
    let finding = at(
        Disease::Placement,
        longest,
        (team as f64 * SHARED_CORE) as u64,
        format!("{said}: {}", cause.who),
        "give each thread a core of its own: OMP_PLACES=cores OMP_PROC_BIND=spread, or start the \
         program on CPUs of more cores",
    );
    (vec![finding], Vec::new())
}

/// Names slow cores as the cause of an imbalance, where threads with equal shares work longer
/// because their cores are slower.
pub(super) fn blame(analysis: &Analysis, busy: &[Busy], findings: &mut [Finding]) {
    let placement = analysis.placement();
    let of = |slow: bool| -> Vec<&Busy> {
        let is = |one: &&Busy| one.main.is_some_and(|cpu| placement.is_slow(cpu) == slow);
        busy.iter().filter(is).collect()
    };
    let (slow, fast) = (of(true), of(false));
    if slow.is_empty() || fast.is_empty() || slow.len() + fast.len() < analysis.threads().len() {
        return;
    }
    let work = |threads: &[&Busy]| -> Vec<u64> { threads.iter().map(|one| one.row.work).collect() };
    let (of_slow, of_fast) = (work(&slow), work(&fast));
    let mean = |work: &[u64]| ratio(total(work.iter().copied()), work.len() as u64);
    let (long, short) = (mean(&of_slow), mean(&of_fast));
    // If a thread on a slow core works no longer than one on a fast core, the cause is another.
    let apart = of_slow.iter().min() > of_fast.iter().max();
    if long < SLOWER * short || !apart {
        return;
    }
    let cpus: Cpus = slow.iter().filter_map(|one| one.main).collect();
    for finding in findings.iter_mut().filter(|found| found.disease == Disease::Imbalance) {
        finding.disease = Disease::SlowCores;
        finding.evidence = format!(
            "{} thread{} on slow cores ({}) work{} {}, {} longer than {} on fast ones; {}",
            slow.len(),
            if slow.len() == 1 { "" } else { "s" },
            named(&cpus),
            if slow.len() == 1 { "s" } else { "" },
            duration(long),
            percent(long / short.max(1.0) - 1.0),
            fast.len(),
            finding.evidence,
        );
        finding.advice = "let threads take work as they come to it (schedule(dynamic) or (guided), \
                          tasks), or use the fast cores alone: OMP_PLACES with their CPUs, and as \
                          many threads (OMP_NUM_THREADS)";
    }
}
