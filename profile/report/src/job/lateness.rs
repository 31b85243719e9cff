//! Finds what keeps ranks from coming to the calls in which others wait for them, beside their own
//! work: the control group stops them, they have no CPU, they sleep. What is left are ranks that
//! come late by turns.

use super::findings::{JobFinding, is_large, mean, numbered, ranks_with_node};
use super::rank::Rank;
use super::{Job, Row};
use crate::diagnosis::duration;
use crate::placement::GroupLimit;
use crate::{Analysis, Disease, NoProgress, Profile};

/// A rank that waits for less than this share of the ranks' mean wait hardly waits.
const HARDLY: f64 = 0.1;

/// Makes the finding for ranks that their control group stops.
pub(super) fn throttled(job: &Job, ranks: &[Rank]) -> Option<JobFinding> {
    let stopped: Vec<_> = ranks.iter().zip(&job.rows).filter_map(stopped).collect();
    let (worst, group, cost) = stopped.iter().max_by_key(|(_, _, cost)| *cost)?;
    let is_in_group =
        |rank: &&Rank, own: &GroupLimit| (&rank.host, &own.path) == (&worst.host, &group.path);
    let in_group = stopped.iter().filter(|(rank, own, _)| is_in_group(rank, own));
    let threads = in_group.flat_map(|(rank, ..)| &rank.held_to).map(|(_, threads)| *threads);
    let threads = threads.sum::<usize>().max(1) as f64;
    let numbers: Vec<u32> = stopped.iter().map(|(rank, ..)| rank.number).collect();
    let are = if numbers.len() == 1 { "is" } else { "are" };
    Some(JobFinding {
        disease: "throttled",
        name: format!("{} {are} throttled: {}", ranks_with_node(job, &numbers), group.name()),
        cost: *cost,
        evidence: group.evidence(threads),
        ranks: numbers,
        advice: group.advice(threads).to_owned(),
        ..JobFinding::default()
    })
}

/// Returns a rank that its control group stopped, the group, and the time that the rank lost by it.
fn stopped<'a>((rank, row): (&'a Rank, &Row)) -> Option<(&'a Rank, &'a GroupLimit, u64)> {
    let group = rank.placement.group.as_ref().filter(|group| group.has_stopped())?;
    let most = (row.elapsed as f64 * group.stopped_share()) as u64;
    Some((rank, group, row.lacked.min(group.throttled).min(most)))
}

/// Makes the findings for ranks that others wait for because they sleep or have no CPU. `named`:
/// the ranks whose lack of a CPU has a finding already.
pub(super) fn kept_away(job: &Job, ranks: &[Rank], named: &[u32]) -> Vec<JobFinding> {
    let mut findings: Vec<JobFinding> = asleep(job, ranks).into_iter().collect();
    findings.extend(without_cpu(job, ranks, named));
    findings
}

/// Ranks with more of a time than others, which wait for them.
struct Late {
    /// Their places, the one with the most of the time first.
    at: Vec<usize>,
    numbers: Vec<u32>,
    cost: u64,
}

impl Late {
    fn of(rows: &[Row], times: &[f64]) -> Option<Late> {
        let average = times.iter().sum::<f64>() / times.len().max(1) as f64;
        let longest = times.iter().copied().fold(0.0, f64::max);
        let is_late = |at: &usize| times[*at] > average + (longest - average) / 2.0;
        let mut at: Vec<usize> = (0..rows.len()).filter(is_late).collect();
        at.sort_by(|one, other| times[*other].total_cmp(&times[*one]));
        if at.is_empty() || at.len() == rows.len() {
            return None;
        }
        let others = || (0..rows.len()).filter(|place| !at.contains(place));
        let usual = others().map(|at| times[at]).sum::<f64>() / others().count() as f64;
        // The job gets back no more than what others wait longer than these.
        let waited = mean(others().map(|at| rows[at].waited()))
            - mean(at.iter().map(|at| rows[*at].waited()));
        let mut numbers: Vec<u32> = at.iter().map(|at| rows[*at].rank).collect();
        numbers.sort_unstable();
        let cost = (longest - usual).min(waited).max(0.0) as u64;
        Some(Late { at, numbers, cost })
    }

    /// Returns the mean of a time of these ranks, and of the others.
    fn means(&self, times: &[u64]) -> (f64, f64) {
        let is_one = |at: &usize| self.at.contains(at);
        let of =
            |late: bool| mean((0..times.len()).filter(|at| is_one(at) == late).map(|at| times[at]));
        (of(true), of(false))
    }
}

fn asleep(job: &Job, ranks: &[Rank]) -> Option<JobFinding> {
    let times: Vec<u64> = ranks.iter().map(|rank| rank.asleep.elapsed(rank.threads)).collect();
    let late = Late::of(&job.rows, &times.iter().map(|time| *time as f64).collect::<Vec<_>>())?;
    if !is_large(late.cost, job) {
        return None;
    }
    let (own, others) = late.means(&times);
    let of_rank = Profile::open(&ranks[*late.at.first()?].file).ok();
    let of_rank = of_rank.map(|profile| Analysis::new(&profile, &mut NoProgress));
    let mut known = of_rank.iter().flat_map(Analysis::findings);
    let found = known.find(|finding| finding.disease == Disease::Blocked);
    let place = found.map_or_else(String::new, |finding| finding.place.to_string());
    let at = if place.is_empty() { String::new() } else { format!(", at {place}") };
    let sleeps = if late.numbers.len() == 1 { "sleeps" } else { "sleep" };
    let calls = found.map_or_else(String::new, |finding| format!("; {}", finding.evidence));
    Some(JobFinding {
        disease: "rank-blocked",
        name: format!(
            "{} {sleeps} while others wait in MPI{at}",
            ranks_with_node(job, &late.numbers)
        ),
        place,
        cost: late.cost,
        evidence: format!(
            "a rank of these sleeps for {}, the other ranks {}{calls}",
            duration(own),
            duration(others),
        ),
        advice: found.map_or("see a rank's own report for where it sleeps", |it| it.advice).into(),
        ranks: late.numbers,
    })
}

fn without_cpu(job: &Job, ranks: &[Rank], named: &[u32]) -> Option<JobFinding> {
    let times: Vec<u64> = job.rows.iter().map(|row| row.lacked).collect();
    // A rank that works longer lacks a CPU for longer where all lack one.
    let burden = mean(ranks.iter().map(Rank::burden)).max(1.0);
    let lacked = mean(times.iter().copied());
    let usual = |rank: &Rank| lacked * rank.burden() as f64 / burden;
    let more: Vec<f64> =
        ranks.iter().zip(&times).map(|(rank, time)| *time as f64 - usual(rank)).collect();
    let late = Late::of(&job.rows, &more)?;
    if late.numbers.iter().all(|rank| named.contains(rank)) {
        return None;
    }
    let (own, others) = late.means(&times);
    let has = if late.numbers.len() == 1 { "has" } else { "have" };
    Some(JobFinding {
        disease: "rank-without-cpu",
        name: format!(
            "{} {has} no CPU for a time, while others wait in MPI",
            ranks_with_node(job, &late.numbers)
        ),
        cost: late.cost,
        evidence: format!(
            "a rank of these could run and had no CPU for {}, the other ranks {}",
            duration(own),
            duration(others),
        ),
        ranks: late.numbers,
        advice: "see what else runs on their node (omphalos top there), and give them CPUs of \
                 their own"
            .to_owned(),
        ..JobFinding::default()
    })
}

/// Makes the finding for calls of MPI in which ranks wait for others, without those waits that the
/// other findings explain. `explained`: their costs, ns.
pub(super) fn by_turns(job: &Job, known: &[JobFinding], explained: u64) -> Option<JobFinding> {
    let wait = mean(job.rows.iter().map(Row::waited));
    let call = job.calls.iter().max_by_key(|row| row.wait)?;
    let cost = (wait as u64).saturating_sub(explained);
    let late = late_alone(&job.rows, wait);
    if !late.is_empty() {
        let is_named = |finding: &JobFinding| late.iter().all(|rank| finding.ranks.contains(rank));
        if known.iter().any(is_named) {
            return None;
        }
        let of = |is_late: bool| {
            let rows = job.rows.iter().filter(|row| late.contains(&row.rank) == is_late);
            duration(mean(rows.map(Row::waited)))
        };
        return Some(JobFinding {
            disease: "late-arrivals",
            name: format!(
                "ranks wait for {} in {} at {}",
                numbered(&late),
                call.function,
                call.place
            ),
            place: call.place.clone(),
            cost,
            evidence: format!(
                "{} of waiting in MPI, against {} of the other ranks on average",
                of(true),
                of(false)
            ),
            ranks: late,
            advice: "see that rank's own report for what it does meanwhile".to_owned(),
        });
    }
    Some(JobFinding {
        disease: "late-arrivals",
        name: match call.is_collective() {
            true => format!("ranks come late to {} by turns, at {}", call.function, call.place),
            false => format!(
                "ranks send or receive late by turns, which others wait for in {} at {}",
                call.function, call.place
            ),
        },
        place: call.place.clone(),
        ranks: Vec::new(),
        cost,
        evidence: format!(
            "a rank waits for others in MPI for {} on average, and no rank has so much more work \
             than others in sum",
            duration(wait),
        ),
        advice: "let ranks meet less often, or go on meanwhile (MPI_Iallreduce and the like)"
            .to_owned(),
    })
}

/// Returns the ranks that hardly wait and are longest outside of MPI: others wait for these nearly
/// each time.
fn late_alone(rows: &[Row], wait: f64) -> Vec<u32> {
    let outside = mean(rows.iter().map(|row| row.outside_mpi));
    let longest = rows.iter().map(|row| row.outside_mpi).max().unwrap_or(0) as f64;
    let is_late = |row: &&Row| {
        (row.waited() as f64) < HARDLY * wait
            && row.outside_mpi as f64 > outside + (longest - outside) / 2.0
    };
    rows.iter().filter(is_late).map(|row| row.rank).collect()
}
