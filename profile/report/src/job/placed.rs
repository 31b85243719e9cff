//! Finds ranks of one node that share CPUs: the launcher has bound them to the same CPUs, or they
//! have more threads than the cores that the launcher gives them.

use std::collections::BTreeMap;

use super::findings::JobFinding;
use super::groups::ranges;
use super::rank::Rank;
use crate::diagnosis::{duration, percent};
use crate::placement::{Cpus, cause, crowd, named};

/// The most threads of a node that are looked at, in case of a damaged file.
const MOST_THREADS: usize = 1 << 12;

/// Makes the finding for the node that loses the most.
pub(super) fn find(ranks: &[Rank]) -> Option<JobFinding> {
    let mut nodes: BTreeMap<&str, Vec<&Rank>> = BTreeMap::new();
    ranks.iter().for_each(|rank| nodes.entry(&rank.host).or_default().push(rank));
    let several = nodes.len() > 1;
    let found = nodes.into_iter().filter_map(|(node, ranks)| on_node(node, &ranks, several));
    found.max_by_key(|finding| finding.cost)
}

fn on_node(node: &str, ranks: &[&Rank], several: bool) -> Option<JobFinding> {
    let threads = ranks.iter().enumerate().flat_map(|(at, rank)| {
        let of = |(set, count): &(Cpus, usize)| std::iter::repeat_n(set.clone(), *count);
        rank.held_to.iter().flat_map(of).map(move |set| (at, set)).collect::<Vec<_>>()
    });
    let (owners, sets): (Vec<usize>, Vec<Cpus>) = threads.take(MOST_THREADS).unzip();
    let (crowded, cpus) = crowd(&sets)?;
    let mut whose: Vec<&Rank> = crowded.iter().map(|at| ranks[owners[*at]]).collect();
    whose.dedup_by_key(|rank| rank.number);
    let first = whose.first()?;
    let left = first.placement.online.difference(&cpus).count();
    // If the ranks use all CPUs, there are too many ranks or threads: their places are not wrong.
    if left == 0 {
        return None;
    }
    let lost =
        |rank: &&&Rank| rank.without_cpu.saturating_add(rank.mpi_without_cpu) / rank.threads.max(1);
    let cost = whose.iter().map(|rank| lost(&rank)).fold(0, u64::saturating_add);
    let cost = cost / whose.len() as u64;
    let numbers: Vec<u32> = whose.iter().map(|rank| rank.number).collect();
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
            crowded.len(),
            named(&cpus),
            if left == 1 { "" } else { "s" },
        ),
        place: String::new(),
        ranks: numbers,
        cost,
        evidence: format!(
            "{}; a thread had no CPU for {} on average ({} of the run)",
            cause.who,
            duration(cost as f64),
            percent(cost as f64 / elapsed.max(1) as f64),
        ),
        advice: cause.cure.to_owned(),
    })
}
