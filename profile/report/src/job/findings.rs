//! The findings of a job: the slowest rank and its cause, what most ranks suffer from, MPI itself.
//! The costliest comes first; a cost is the elapsed time that the job would have back.

use super::names::Names;
use super::placed::{self, Uneven};
use super::rank::{Rank, Region, Site};
use super::{Job, Row, groups, lateness, unfinished, within_ranks};
use crate::diagnosis::duration;
use crate::model::total;

/// A cost below this share of the run is no finding.
const LEAST: f64 = 0.03;

/// One thing that a job suffers from.
#[derive(Clone, Debug, Default)]
pub struct JobFinding {
    /// A stable name.
    pub disease: &'static str,
    /// The disease in words, in one line.
    pub name: String,
    /// The place that suffers: a region, a function or a call; empty if there is no particular one.
    pub place: String,
    /// The ranks that the finding is about; empty: all ranks.
    pub ranks: Vec<u32>,
    /// The elapsed time that the job would have back, ns.
    pub cost: u64,
    /// The figures that show the disease.
    pub evidence: String,
    /// The advice.
    pub advice: String,
}

/// Returns the rank whose own work takes longest.
pub(super) fn slow(ranks: &[Rank]) -> Option<usize> {
    (0..ranks.len()).max_by_key(|at| (ranks[*at].burden(), std::cmp::Reverse(*at)))
}

pub(super) fn all(
    job: &Job,
    ranks: &[Rank],
    slow: Option<usize>,
    names: &Names,
) -> Vec<JobFinding> {
    // On a busy machine the same work takes longer. Costs are given in that longer time.
    let slowness = ranks.iter().map(awake).max().unwrap_or(0) as f64
        / ranks.iter().map(Rank::burden).max().unwrap_or(0).max(1) as f64;
    let slowness = slowness.max(1.0);
    let mut findings: Vec<JobFinding> =
        slow.and_then(|slow| uneven_ranks(job, ranks, slow, names, slowness)).into_iter().collect();
    // The finding of unequal work has this part of its cost by what slows all work down.
    let uneven = findings.iter().map(|one| one.cost).fold(0, u64::saturating_add);
    let slowed = (uneven as f64 * (1.0 - 1.0 / slowness)) as u64;
    let placed = placed::find(job, ranks, Uneven { cost: uneven, slowed });
    let mut kept: Vec<JobFinding> = lateness::throttled(job, ranks).into_iter().collect();
    let named: Vec<u32> = placed.iter().chain(&kept).flat_map(|one| one.ranks.clone()).collect();
    kept.extend(lateness::kept_away(job, ranks, &named));
    findings.append(&mut kept);
    findings.retain(|finding| is_large(finding.cost, job));
    // Ranks that share CPUs come late by turns because of that.
    let costs = findings.iter().chain(&placed).map(|finding| finding.cost);
    let explained = costs.fold(0, u64::saturating_add);
    findings.extend(lateness::by_turns(job, &findings, explained));
    findings.extend(placed);
    findings.extend(within_ranks::find(job, ranks, names, slowness));
    let unfinished = unfinished::find(ranks, names);
    let stood = unfinished.as_ref().map_or(0, |finding| finding.cost);
    findings.extend(unfinished);
    findings.extend(communication(job, stood));
    findings.retain(|finding| is_large(finding.cost, job));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.cost));
    findings
}

/// Whether a cost matters in this job, ns.
pub(super) fn is_large(cost: u64, job: &Job) -> bool {
    cost as f64 >= LEAST * job.elapsed as f64
}

/// Returns `rank 1`, or `ranks 0-3`.
pub(super) fn numbered(ranks: &[u32]) -> String {
    match ranks {
        [one] => format!("rank {one}"),
        several => format!("ranks {}", groups::ranges(several)),
    }
}

/// Returns the same, with the node if these are all ranks of it.
pub(super) fn ranks_with_node(job: &Job, ranks: &[u32]) -> String {
    let node = whole_nodes(job, ranks).map_or_else(String::new, |node| format!(" ({node})"));
    format!("{}{node}", numbered(ranks))
}

/// Returns the time outside of MPI in which a rank does not sleep, ns.
fn awake(rank: &Rank) -> u64 {
    rank.outside_mpi().saturating_sub(rank.asleep.elapsed(rank.threads))
}

pub(super) fn mean(values: impl Iterator<Item = u64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0u32);
    for value in values {
        sum += value as f64;
        count += 1;
    }
    sum / f64::from(count.max(1))
}

/// Returns two times of the rank's regions at `site`, ns: the time that they would take if their
/// threads shared the work evenly, and the time that they take longer because the threads do not.
pub(super) fn of_region(rank: &Rank, site: &Site) -> (u64, u64) {
    let of = rank.regions.iter().filter(|region| region.site == *site);
    of.fold((0, 0), |sum, region| (sum.0 + region.shared(), sum.1 + region.gain()))
}

/// The reason why a rank takes longer than others.
enum Cause<'a> {
    /// A region has more work.
    Work(&'a Region),
    /// A region's threads have unequal work.
    Threads(&'a Region),
    /// Work outside of regions.
    Serial,
}

fn uneven_ranks(
    job: &Job,
    ranks: &[Rank],
    slow: usize,
    names: &Names,
    slowness: f64,
) -> Option<JobFinding> {
    let longest = ranks[slow].burden();
    let average = mean(ranks.iter().map(Rank::burden));
    let cost = longest as f64 - average;
    if ranks.len() < 2 || cost * slowness < LEAST * job.elapsed as f64 {
        return None;
    }
    // Ranks nearer to the slowest one than to the mean.
    let is_slow = |rank: &&Rank| rank.burden() as f64 > average + cost / 2.0;
    let (slowest, others): (Vec<&Rank>, Vec<&Rank>) = ranks.iter().partition(is_slow);
    let numbers: Vec<u32> = slowest.iter().map(|rank| rank.number).collect();
    let of_others = |figure: &dyn Fn(&Rank) -> u64| mean(others.iter().map(|rank| figure(rank)));
    let of_slowest = |figure: &dyn Fn(&Rank) -> u64| mean(slowest.iter().map(|rank| figure(rank)));
    let more = |figure: &dyn Fn(&Rank) -> u64| of_slowest(figure) - of_others(figure);

    // Ranks may do the same work in different regions: the sums tell whether these have more of it.
    let lost = more(&|rank| total(rank.regions.iter().map(Region::gain)));
    let is_shared_badly = lost > more(&Rank::burden) / 2.0;
    let mut causes = Vec::new();
    if !is_shared_badly {
        causes.push((more(&|rank| rank.serial), Cause::Serial));
    }
    for region in &ranks[slow].regions {
        let site = &region.site;
        causes.push(match is_shared_badly {
            true => (more(&|rank| of_region(rank, site).1), Cause::Threads(region)),
            false => (more(&|rank| of_region(rank, site).0), Cause::Work(region)),
        });
    }
    let (_, cause) = causes.into_iter().max_by(|one, other| one.0.total_cmp(&other.0))?;
    let verb = if numbers.len() == 1 { "takes" } else { "take" };
    let both = |figure: &dyn Fn(&Rank) -> u64| {
        format!(
            "{} there, the other ranks {}",
            duration(of_slowest(figure)),
            duration(of_others(figure))
        )
    };
    let (disease, place, why, advice) = match cause {
        Cause::Serial => (
            "rank-serial",
            String::new(),
            format!("outside of regions, where one thread works: {}", both(&|rank| rank.serial)),
            "share that work among the ranks, or among the rank's threads",
        ),
        Cause::Work(region) => (
            "rank-imbalance",
            names.region(&region.site),
            format!(
                "its threads have more work: each {}",
                both(&|rank| of_region(rank, &region.site).0)
            ),
            "give these ranks less of the data, or the others more",
        ),
        Cause::Threads(region) => (
            "rank-thread-imbalance",
            names.region(&region.site),
            format!(
                "it has no more work than others, and its threads share it badly: the busiest one \
                 works longer than their mean by {}",
                both(&|rank| of_region(rank, &region.site).1)
            ),
            "share the work of this region better among the threads of these ranks: another \
             schedule, or tasks",
        ),
    };
    let in_place = if place.is_empty() { "outside of regions".to_owned() } else { place.clone() };
    Some(JobFinding {
        disease,
        name: format!(
            "{} {verb} longer than the others, in {in_place}",
            ranks_with_node(job, &numbers)
        )
        .replace("in outside", "outside"),
        place,
        ranks: numbers,
        cost: (cost * slowness) as u64,
        evidence: format!(
            "{why}; in all, their own work takes {}, that of the others {}, which {}",
            duration(of_slowest(&Rank::burden)),
            duration(of_others(&Rank::burden)),
            if job.calls_mpi() { "wait in MPI meanwhile" } else { "end before these" },
        ),
        advice: advice.to_owned(),
    })
}

/// Returns the words "all that run on node …" if the ranks are exactly those of one node. `None` if
/// they are not, or if the job has one node only.
fn whole_nodes(job: &Job, numbers: &[u32]) -> Option<String> {
    let nodes = job.ranks_of_nodes();
    let whole = |(_, ranks): &(&&str, &Vec<u32>)| {
        let mut ranks = (*ranks).clone();
        ranks.sort_unstable();
        ranks == numbers
    };
    let (node, _) = nodes.iter().filter(|_| nodes.len() > 1).find(whole)?;
    Some(format!("all that run on node {node}"))
}

/// Finds the time in MPI itself. `stood`: the part of a rank's time, on average, that has a finding
/// already, because it is in calls that did not end.
fn communication(job: &Job, stood: u64) -> Option<JobFinding> {
    let (transfer, other) = (
        mean(job.rows.iter().map(|row| row.elapsed_of(row.mpi_transfer))),
        mean(job.rows.iter().map(|row| row.elapsed_of(row.mpi_other))),
    );
    let own = |row: &&super::CallRow| {
        row.elapsed.saturating_sub(row.open).saturating_sub(row.wait.unwrap_or(0))
    };
    let is_setup = |row: &&super::CallRow| {
        row.function.starts_with("MPI_Init") || row.function == "MPI_Finalize"
    };
    let call = job.calls.iter().filter(|row| !is_setup(row)).max_by_key(own)?;
    // The time in `MPI_Finalize` is the time that MPI takes to end: it belongs to no message.
    let ends = job.calls.iter().filter(|row| row.function == "MPI_Finalize");
    let end = ends.map(|row| own(&row)).fold(0, u64::saturating_add) as f64;
    let lacked = mean(job.rows.iter().map(Row::lacked_in_mpi));
    let end = end / job.rows.len().max(1) as f64;
    let time = (transfer + other - lacked - end - stood as f64).max(0.0);
    let unknown = match other > transfer {
        true => "; of some calls nobody knows what part was waiting",
        false => "",
    };
    Some(JobFinding {
        disease: "communication",
        name: format!("MPI takes much of the time, most in {} at {}", call.function, call.place),
        place: call.place.clone(),
        ranks: Vec::new(),
        cost: time as u64,
        evidence: format!(
            "a rank is in MPI for {} on average without waiting for other ranks or a CPU\
             {unknown}",
            duration(time),
        ),
        advice: "send less often and more at once; receive before it is needed (MPI_Irecv), and \
                 work meanwhile"
            .to_owned(),
    })
}
