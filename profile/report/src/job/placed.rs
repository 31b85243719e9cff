//! Finds ranks of one node that share CPUs: the launcher has bound them to the same CPUs, or they
//! have more threads than the cores that the launcher gives them, or than the node has CPUs.

use std::collections::BTreeMap;

use super::findings::{JobFinding, mean, numbered};
use super::groups::ranges;
use super::rank::Rank;
use super::{Job, Row};
use crate::diagnosis::{duration, percent};
use crate::model::ratio;
use crate::placement::{Cpus, cause, crowd, named};

/// The most threads of a node that are looked at, in case of a damaged file.
const MOST_THREADS: usize = 1 << 12;

/// The costs in the finding of unequal work; zeros if there is no such finding.
#[derive(Clone, Copy)]
pub(super) struct Uneven {
    /// The finding's cost, ns.
    pub(super) cost: u64,
    /// The part of the cost that a lack of CPUs adds, ns.
    pub(super) slowed: u64,
}

/// Makes the finding for the node that loses the most.
pub(super) fn find(job: &Job, ranks: &[Rank], uneven: Uneven) -> Option<JobFinding> {
    let mut nodes: BTreeMap<&str, Vec<&Rank>> = BTreeMap::new();
    ranks.iter().for_each(|rank| nodes.entry(&rank.host).or_default().push(rank));
    let several = nodes.len() > 1;
    let found = nodes.into_iter().filter_map(|(node, ranks)| {
        on_node(job, node, &ranks, several).or_else(|| crowded(job, node, &ranks, several, uneven))
    });
    found.max_by_key(|finding| finding.cost)
}

/// Returns the ranks of a node that outnumber the CPUs that they may use, with the number of their
/// threads, and those CPUs.
fn crowd_of<'a>(ranks: &[&'a Rank]) -> Option<(Vec<&'a Rank>, usize, Cpus)> {
    let threads = ranks.iter().enumerate().flat_map(|(at, rank)| {
        let of = |(set, count): &(Cpus, usize)| std::iter::repeat_n(set.clone(), *count);
        rank.held_to.iter().flat_map(of).map(move |set| (at, set)).collect::<Vec<_>>()
    });
    let (owners, sets): (Vec<usize>, Vec<Cpus>) = threads.take(MOST_THREADS).unzip();
    let (crowded, cpus) = crowd(&sets)?;
    let mut whose: Vec<&Rank> = crowded.iter().map(|at| ranks[owners[*at]]).collect();
    whose.dedup_by_key(|rank| rank.number);
    Some((whose, crowded.len(), cpus))
}

fn on_node(job: &Job, node: &str, ranks: &[&Rank], several: bool) -> Option<JobFinding> {
    let (whose, threads, cpus) = crowd_of(ranks)?;
    let first = whose.first()?;
    let left = first.placement.online.difference(&cpus).count();
    // If the ranks use all CPUs, their places are not wrong: see `crowded`.
    if left == 0 {
        return None;
    }
    let numbers: Vec<u32> = whose.iter().map(|rank| rank.number).collect();
    let rows = job.rows.iter().filter(|row| numbers.contains(&row.rank));
    let lacked = mean(rows.map(|row| row.lacked));
    // The job lasts as long as its longest rank. If that is another one, these wait for it in MPI.
    let longest = |without: &dyn Fn(&Row) -> u64| {
        let own = |row: &Row| row.outside_mpi.saturating_add(row.lacked_in_mpi());
        job.rows.iter().map(|row| own(row).saturating_sub(without(row))).max().unwrap_or(0)
    };
    let cured = |row: &Row| if numbers.contains(&row.rank) { row.lacked } else { 0 };
    let cost = longest(&|_| 0).saturating_sub(longest(&cured));
    let cause = cause(&first.placement, &first.environment, &cpus, true);
    let who = match &numbers[..] {
        [one] => format!("rank {one} has"),
        several => format!("ranks {} have", ranges(several)),
    };
    let here = if several { format!(" of node {node}") } else { String::new() };
    let elapsed = whose.iter().map(|rank| rank.elapsed()).max().unwrap_or(0);
    Some(JobFinding {
        disease: "placement",
        name: format!(
            "{who} {} threads on {}{here}, which leaves out {left} CPU{}",
            threads,
            named(&cpus),
            if left == 1 { "" } else { "s" },
        ),
        place: String::new(),
        ranks: numbers,
        cost,
        evidence: format!(
            "{}; a rank's threads could run and had no CPU for {} on average ({} of the run)",
            cause.who,
            duration(lacked),
            percent(lacked / elapsed.max(1) as f64),
        ),
        advice: cause.cure.to_owned(),
    })
}

/// Finds more threads of a node's ranks than the node has CPUs.
fn crowded(
    job: &Job,
    node: &str,
    ranks: &[&Rank],
    several: bool,
    uneven: Uneven,
) -> Option<JobFinding> {
    let (whose, threads, cpus) = crowd_of(ranks)?;
    let numbers: Vec<u32> = whose.iter().map(|rank| rank.number).collect();
    let rows = || job.rows.iter().filter(|row| numbers.contains(&row.rank));
    let at_work = mean(rows().map(|row: &Row| row.lacked)) as u64;
    // A thread that waits for one without a CPU, or has none as its wait is over, loses that time
    // too, though it is no work. The kernel's count has it, and also has the harmless part of waits
    // for unequal work: so the finding of unequal work explains its cost in it, and goes before it
    // if it explains a third or more.
    let anywhere = mean(whose.iter().map(|rank| rank.runnable / rank.threads.max(1))) as u64;
    let rest = anywhere.saturating_sub(uneven.cost);
    let unexplained = if rest <= 2 * uneven.cost { rest.min(uneven.cost) } else { rest };
    let lost = at_work.max(anywhere);
    let cost = at_work.saturating_sub(uneven.slowed).max(unexplained);
    let elapsed = rows().map(|row| row.elapsed).max().unwrap_or(0);
    let has = if numbers.len() == 1 { "has" } else { "have" };
    // Threads that take turns need as much longer as there are more of them than CPUs. Other
    // programs may keep them from running for longer than that.
    let longer = threads as f64 / cpus.len() as f64 - 1.0;
    let most = (mean(whose.iter().map(|rank| rank.burden())) * longer) as u64;
    Some(JobFinding {
        disease: "oversubscription",
        name: format!(
            "{} {has} {threads} threads on {} CPU{}{}",
            numbered(&numbers),
            cpus.len(),
            if cpus.len() == 1 { "" } else { "s" },
            if several { format!(", all of node {node}") } else { String::new() },
        ),
        place: String::new(),
        cost: cost.min(most),
        evidence: format!(
            "a rank's threads could run and had no CPU for {} on average ({} of the run), and \
             others wait for that in MPI; so many threads for so few CPUs explain {} of it",
            duration(lost as f64),
            percent(ratio(lost, elapsed)),
            duration(most.min(lost) as f64),
        ),
        ranks: numbers,
        advice: "let ranks times threads be no more than the node's CPUs: fewer ranks on a node \
                 (mpirun's options for ranks per node), or fewer threads (OMP_NUM_THREADS)"
            .to_owned(),
    })
}
