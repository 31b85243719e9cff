//! Names what is wrong with a program: one rule a file, all limits in `thresholds.rs`.
//!
//! A rule fires when its disease costs a share of the run that a user would want back; it names the
//! construct and the figure behind it. Rules use exact totals, and samples only for what no event
//! tells, as page faults and locks of the C library. The order below matters: a later rule stays
//! silent about a region whose trouble an earlier one explained.

mod beside;
mod blocked;
mod far_memory;
mod imbalance;
mod library_locks;
mod masked;
mod mpi;
mod mutex;
mod nested;
mod one_thread;
mod overhead;
mod own_code;
mod page_faults;
mod placement;
mod scattered;
mod serial;
mod shared_memory;
mod slow_tasks;
mod small_tasks;
mod thresholds;
mod tiny_loops;
mod tiny_regions;
mod units;

use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;

use crate::Analysis;
use crate::model::{RegionRow, ratio, total};
pub(crate) use beside::{had_by_others, had_by_own};
pub(crate) use placement::is_throttled;
pub(crate) use thresholds::BUSY;
use thresholds::*;
pub(crate) use units::bytes;
pub use units::{count, duration, percent};

/// The diseases that a program can suffer from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Disease {
    /// Threads wait at a barrier for those with more work.
    Imbalance,
    /// Threads wait for a critical, a lock or an ordered region.
    HotMutex,
    /// One thread works while the others have nothing to do.
    SerialTime,
    /// Making and scheduling tasks costs more than they are worth.
    SmallTasks,
    /// Threads wait because there are too few tasks to execute at a time.
    TaskShortage,
    /// Threads wait for a task that lasts much longer than others.
    LongTask,
    /// A region of one thread does work that a team could share.
    OneThread,
    /// Entering and leaving a region costs more than it is worth.
    TinyRegions,
    /// The threads of a region meet at barriers more often than the work between them is worth.
    TinyLoops,
    /// Threads sleep in calls of the program's own.
    Blocked,
    /// The process is in MPI: it waits for others, or sends and receives.
    Mpi,
    /// The runtime itself takes much of a region's time, as by handing out small chunks.
    Overhead,
    /// Threads wait in many regions, in none of them long.
    ScatteredWaits,
    /// Threads write different bytes of one cache line.
    FalseSharing,
    /// Threads write the same bytes so often that they wait for the cache line.
    ContendedVariable,
    /// The program takes new memory again and again; the system makes each page at first access.
    PageFaults,
    /// Memory lies on one NUMA node, and threads of others use it.
    FarMemory,
    /// Regions inside of regions make more threads than there are CPUs.
    NestedParallelism,
    /// A team has more threads than there are CPUs.
    Oversubscription,
    /// Threads share CPUs or cores while others are left out.
    Placement,
    /// The control group stops the process, which computes for longer than it is granted.
    Throttled,
    /// Threads on slow cores need longer for the same work, and others wait for them.
    SlowCores,
}

impl Disease {
    /// All that is looked for.
    pub const ALL: [Disease; 22] = [
        Disease::Imbalance,
        Disease::HotMutex,
        Disease::SerialTime,
        Disease::SmallTasks,
        Disease::TaskShortage,
        Disease::LongTask,
        Disease::OneThread,
        Disease::TinyRegions,
        Disease::TinyLoops,
        Disease::Blocked,
        Disease::Mpi,
        Disease::Overhead,
        Disease::ScatteredWaits,
        Disease::FalseSharing,
        Disease::ContendedVariable,
        Disease::PageFaults,
        Disease::FarMemory,
        Disease::NestedParallelism,
        Disease::Oversubscription,
        Disease::Placement,
        Disease::Throttled,
        Disease::SlowCores,
    ];

    /// A stable name for programs that read the report.
    pub fn id(self) -> &'static str {
        match self {
            Disease::Imbalance => "imbalance",
            Disease::HotMutex => "hot-mutex",
            Disease::SerialTime => "serial-time",
            Disease::SmallTasks => "small-tasks",
            Disease::TaskShortage => "task-shortage",
            Disease::LongTask => "long-task",
            Disease::OneThread => "one-thread",
            Disease::TinyRegions => "tiny-regions",
            Disease::TinyLoops => "tiny-loops",
            Disease::Blocked => "blocked",
            Disease::Mpi => "mpi",
            Disease::Overhead => "runtime-overhead",
            Disease::ScatteredWaits => "scattered-waits",
            Disease::FalseSharing => "false-sharing",
            Disease::ContendedVariable => "contended-variable",
            Disease::PageFaults => "page-faults",
            Disease::FarMemory => "far-memory",
            Disease::NestedParallelism => "nested-parallelism",
            Disease::Oversubscription => "oversubscription",
            Disease::Placement => "placement",
            Disease::Throttled => "throttled",
            Disease::SlowCores => "slow-cores",
        }
    }

    /// Whether a cure gives back no more than [`Finding::cost`]. It may give back more where
    /// threads take a line or a lock from each other, since that slows down their work beside it
    /// too; and where memory is taken anew, since that memory is given back too.
    pub fn has_bound(self) -> bool {
        use Disease::{ContendedVariable, FalseSharing, HotMutex, PageFaults};
        ![FalseSharing, ContendedVariable, HotMutex, PageFaults].contains(&self)
    }
}

impl fmt::Display for Disease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Disease::Imbalance => "load imbalance",
            Disease::HotMutex => "contention",
            Disease::SerialTime => "serial time",
            Disease::SmallTasks => "tasks too small",
            Disease::TaskShortage => "too few tasks at a time",
            Disease::LongTask => "task too long",
            Disease::OneThread => "region of one thread",
            Disease::TinyRegions => "too many tiny regions",
            Disease::TinyLoops => "loops too small",
            Disease::Blocked => "blocked in calls",
            Disease::Mpi => "time in MPI",
            Disease::Overhead => "runtime overhead",
            Disease::ScatteredWaits => "waits in many regions",
            Disease::FalseSharing => "false sharing",
            Disease::ContendedVariable => "contended variable",
            Disease::PageFaults => "page faults",
            Disease::FarMemory => "memory of another node",
            Disease::NestedParallelism => "nested parallelism",
            Disease::Oversubscription => "oversubscription",
            Disease::Placement => "threads placed badly",
            Disease::Throttled => "throttled",
            Disease::SlowCores => "slow cores",
        })
    }
}

/// A disease that was found, its place, and the figures.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The disease that the program has here.
    pub disease: Disease,
    /// The construct or place: `region at file.c:42 in main`.
    pub place: Rc<str>,
    /// Source file of the place, its full path where the compiler recorded it; none if unknown.
    pub file: Option<Rc<str>>,
    /// 0 = unknown.
    pub line: u32,
    /// Elapsed time that a cure could give back, ns: at best, if [`Disease::has_bound`]. The
    /// report sorts its findings by it.
    pub cost: u64,
    /// The figures, one sentence.
    pub evidence: String,
    /// The advice, one sentence.
    pub advice: &'static str,
}

/// Returns the diseases that the profile has the records for.
pub(crate) fn looked_for(analysis: &Analysis) -> Vec<Disease> {
    let by_memory = [Disease::FalseSharing, Disease::ContendedVariable, Disease::PageFaults];
    let has_any = analysis.shared_memory().is_some();
    let by_place = [Disease::Placement, Disease::Throttled, Disease::SlowCores];
    let has_places = !analysis.placement().threads.is_empty();
    // A profile that was taken from outside the process has neither counts nor single waits.
    let outside = [
        Disease::Imbalance,
        Disease::SerialTime,
        Disease::OneThread,
        Disease::Blocked,
        Disease::Oversubscription,
    ];
    let is_seen = |one: &Disease| !analysis.is_attached() || outside.contains(one);
    let is_known = |one: &Disease| match one {
        Disease::Mpi => !analysis.mpi_calls().is_empty(),
        Disease::FarMemory => !analysis.memory_nodes().times.is_empty(),
        one => (has_any || !by_memory.contains(one)) && (has_places || !by_place.contains(one)),
    };
    Disease::ALL.into_iter().filter(|one| is_known(one) && is_seen(one)).collect()
}

/// Returns the diseases that were looked for and not found.
pub fn ruled_out(analysis: &Analysis) -> Vec<Disease> {
    let is_found = |one: &Disease| analysis.findings().iter().any(|found| found.disease == *one);
    looked_for(analysis).into_iter().filter(|one| !is_found(one)).collect()
}

/// Returns the diseases that this profile cannot show: their time counts as Work.
pub fn unseen(analysis: &Analysis) -> Vec<&'static str> {
    let by_memory = match analysis.shared_memory().is_some() {
        true => &[][..],
        false => &["false sharing", "contended variables", "page faults"],
    };
    let by_node = match analysis.memory_nodes().times.is_empty() {
        true => &["pages that lie at another processor"][..],
        false => &[],
    };
    let always = ["memory bandwidth", "denormal numbers"];
    by_memory.iter().chain(&always).chain(by_node).copied().collect()
}

/// Returns all findings, the costliest first; and doubts, which would be findings if the machine
/// had not been busy.
pub(crate) fn diagnose(analysis: &Analysis) -> (Vec<Finding>, Vec<String>) {
    let mut findings = nested::find(analysis);
    // If several threads share one CPU, only the cause that put them there is named.
    let (placed, of_cores) = placement::find(analysis);
    if !placed.is_empty() {
        findings.retain(|finding| finding.disease != Disease::Oversubscription);
    }
    findings.extend(placed);
    if findings.is_empty() {
        findings.extend(beside::find(analysis));
    }
    let (tiny, maybe_tiny) = tiny_regions::find(analysis);
    findings.extend(tiny);
    findings.extend(small_tasks::find(analysis));
    findings.extend(mutex::find(analysis));
    findings.extend(blocked::find(analysis));
    let of_small_tasks = findings.iter().filter(|found| found.disease == Disease::SmallTasks);
    let in_small_tasks = total(of_small_tasks.map(|finding| finding.cost));
    let mut known = places(&findings);
    known.extend(maybe_tiny.iter().map(|(place, _)| place.clone()));
    let is_explained = |row: &RegionRow| {
        // A thread that makes tasks one by one may do other work between them.
        let in_tasks = row.tasks_created > 0 && in_small_tasks > 0;
        (in_tasks && row.gain <= 2 * in_small_tasks) || known.contains(&row.construct.label)
    };
    let tiny_loops = tiny_loops::find(analysis, &is_explained);
    let of_tiny_loops = places(&tiny_loops);
    let is_explained =
        |row: &RegionRow| is_explained(row) || of_tiny_loops.contains(&row.construct.label);
    let overhead = overhead::find(analysis, &is_explained);
    let of_overhead = places(&overhead);
    let (mut unbalanced, mut doubts) = imbalance::find(analysis, &|row| {
        is_explained(row)
            || of_overhead.contains(&row.construct.label)
            || mutex::explains(&findings, row)
    });
    placement::blame_slow_cores(analysis, &mut unbalanced);
    findings.extend(overhead);
    findings.extend(tiny_loops);
    // Where threads take turns (ordered), the turns cause the imbalance: no second finding.
    let of_unbalanced = places(&unbalanced);
    let turns = |finding: &Finding| {
        let regions = analysis.regions().iter();
        let mut own = regions.filter(|row| of_unbalanced.contains(&row.construct.label));
        own.any(|row| {
            let mut inner = row.constructs.iter().filter(|inner| inner.name == "ordered");
            inner.any(|inner| finding.place.contains(&*inner.construct.label))
        })
    };
    findings.retain(|finding| finding.disease != Disease::HotMutex || !turns(finding));
    findings.extend(unbalanced);
    // A finding about a mutex may explain the waits of any region; one about tasks, the waits of
    // any region that makes tasks.
    let elapsed = analysis.summary().covered;
    let stays = |finding: &&Finding| is_worth_naming(finding.cost, elapsed);
    let named = || findings.iter().filter(stays);
    let names = |diseases: &[Disease]| named().any(|found| diseases.contains(&found.disease));
    if !names(&[Disease::HotMutex]) && doubts.is_empty() && maybe_tiny.is_empty() {
        use Disease::{LongTask, SmallTasks, TaskShortage};
        let of_tasks = names(&[LongTask, TaskShortage, SmallTasks]);
        let of_named: HashSet<_> = named().map(|finding| finding.place.clone()).collect();
        let (scattered, doubt) = scattered::find(analysis, &|row| {
            of_named.contains(&row.construct.label) || (of_tasks && row.tasks_created > 0)
        });
        findings.extend(scattered);
        doubts.extend(doubt);
    }
    doubts.extend(maybe_tiny.into_iter().map(|(_, doubt)| doubt));
    doubts.extend(of_cores);
    findings.extend(one_thread::find(analysis));
    let (serial, company) = serial::find(analysis);
    findings.extend(serial);
    doubts.extend(company);
    for finding in &mut findings {
        finding.cost = finding.cost.min(most_gain(analysis, finding.disease));
    }
    findings.extend(mpi::find(analysis));
    // The bound above is none for these: a wait for a lock of the C library, say, counts as work.
    findings.extend(library_locks::find(analysis));
    findings.extend(shared_memory::find(analysis));
    findings.extend(page_faults::find(analysis));
    findings.extend(far_memory::find(analysis));
    let brief = brief(&findings, elapsed);
    findings.retain(|finding| is_worth_naming(finding.cost, elapsed));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.cost));
    if findings.is_empty() && doubts.is_empty() {
        doubts.extend(kept_from_running(analysis).or(brief));
    }
    (findings, doubts)
}

/// Returns the places of findings, as a set: there may be as many as there are regions.
fn places(findings: &[Finding]) -> HashSet<Rc<str>> {
    findings.iter().map(|finding| finding.place.clone()).collect()
}

/// Whether this cost matters in a run of this length, ns.
fn is_worth_naming(cost: u64, elapsed: u64) -> bool {
    cost >= LEAST_COST && cost as f64 >= LEAST_SHARE * elapsed as f64
}

/// Returns how much shorter a run of the same work would be that used all CPUs all the time: the
/// CPUs that the threads are bound to, those of the process, or those of the machine, as far as the
/// disease keeps threads from them.
fn most_gain(analysis: &Analysis, wrong: Disease) -> u64 {
    let summary = analysis.summary();
    let cpus = match wrong {
        Disease::Oversubscription => summary.cpus,
        Disease::Placement | Disease::Throttled => {
            summary.cpus.max(analysis.placement().online.len() as u32)
        }
        _ => summary.usable_cpus,
    };
    let least = summary.openmp_work.checked_div(u64::from(cpus)).unwrap_or(0);
    summary.covered.saturating_sub(least)
}

/// Returns the doubt that would be a finding if the run had been longer: no finding does not mean
/// that nothing is wrong.
fn brief(findings: &[Finding], elapsed: u64) -> Option<String> {
    let large = |f: &&Finding| {
        (LEAST_BRIEF_COST..LEAST_COST).contains(&f.cost) && ratio(f.cost, elapsed) >= BRIEF_SHARE
    };
    let worst = findings.iter().filter(large).max_by_key(|finding| finding.cost)?;
    Some(format!(
        "{} may cost {} of {} elapsed ({}), too short a run to be sure: record a longer one",
        worst.place,
        duration(worst.cost as f64),
        duration(elapsed as f64),
        worst.disease,
    ))
}

/// Returns the doubt where other programs had the CPUs: no finding does not mean that nothing is
/// wrong.
fn kept_from_running(analysis: &Analysis) -> Option<String> {
    is_kept_from_running(analysis).then(|| {
        format!(
            "threads that could run had a CPU only {} of the time, which hides what they cost each \
             other: record again on an idle machine",
            percent(analysis.summary().cpu_share),
        )
    })
}

/// Whether other programs have the CPUs: threads have them for less than if all of them could run
/// all the time, and no other program ran.
pub(crate) fn is_kept_from_running(analysis: &Analysis) -> bool {
    let summary = analysis.summary();
    let alone = ratio(u64::from(summary.usable_cpus), summary.threads).min(1.0);
    summary.cpu_share < BUSY * alone && had_by_others(analysis, alone)
}

/// Returns a region's part of the profiler's own cost, ns, in proportion to its overhead: without
/// profiling, a program does not have it. The overhead contains the callbacks' time that work lost.
/// Their time that a wait lost costs nothing: the thread would have waited.
fn profiling(analysis: &Analysis, row: &RegionRow) -> u64 {
    let all = total(analysis.regions().iter().map(|row| row.overhead));
    (analysis.summary().agent as f64 * ratio(row.overhead, all)) as u64
}

/// Returns for how long threads that use no OpenMP may have been at work, ns: on a busy machine
/// that is longer than they computed.
pub(crate) fn company(analysis: &Analysis) -> u64 {
    let summary = analysis.summary();
    (summary.others as f64 / summary.cpu_share.max(0.01)) as u64
}
