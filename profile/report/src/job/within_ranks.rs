//! The findings of most ranks, each of which loses time among its own threads. The loss of a few
//! ranks alone belongs to the finding of the slowest ones.

use super::findings::{JobFinding, mean, of_region};
use super::names::Names;
use super::rank::{Rank, Region};
use super::{Job, Row, groups};
use crate::diagnosis::{duration, percent};

pub(super) fn find(
    job: &Job,
    ranks: &[Rank],
    names: &Names,
    slowness: f64,
) -> impl Iterator<Item = JobFinding> {
    threads(job, ranks, names, slowness).into_iter().chain(serial(job, slowness))
}

/// A loss that most ranks have.
struct Usual {
    /// Most ranks lose as much as this or more, ns: the lower median.
    loss: u64,
    /// The ranks that lose about as much or more; empty: all ranks.
    ranks: Vec<u32>,
}

impl Usual {
    /// Returns it for the ranks' numbers and losses; `None` for no rank.
    fn of(losses: &[(u32, u64)]) -> Option<Usual> {
        let mut sorted: Vec<u64> = losses.iter().map(|(_, loss)| *loss).collect();
        sorted.sort_unstable();
        let loss = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
        let those = losses.iter().filter(|(_, own)| *own >= loss / 2);
        let mut ranks: Vec<u32> = those.map(|(rank, _)| *rank).collect();
        if ranks.len() == losses.len() {
            ranks.clear();
        }
        Some(Usual { loss, ranks })
    }

    /// Whether the rank has the loss.
    fn is_of(&self, rank: u32) -> bool {
        self.ranks.is_empty() || self.ranks.contains(&rank)
    }
}

/// Finds threads that wait for each other.
fn threads(job: &Job, ranks: &[Rank], names: &Names, slowness: f64) -> Option<JobFinding> {
    let first =
        ranks.iter().max_by_key(|rank| rank.regions.iter().map(Region::gain).sum::<u64>())?;
    let region = first.regions.iter().max_by_key(|region| {
        ranks.iter().map(|rank| of_region(rank, &region.site).1).fold(0, u64::saturating_add)
    })?;
    let loss = |rank: &Rank| (rank.number, of_region(rank, &region.site).1);
    let usual = Usual::of(&ranks.iter().map(loss).collect::<Vec<_>>())?;
    let place = names.region(&region.site);
    let within = match &usual.ranks[..] {
        [] => "the ranks".to_owned(),
        some => format!("ranks {}", groups::ranges(some)),
    };
    Some(JobFinding {
        disease: "thread-imbalance",
        name: format!("threads wait for each other within {within}, in {place}"),
        place,
        cost: (usual.loss as f64 * slowness) as u64,
        evidence: format!(
            "in most ranks the busiest thread works longer than the mean of the rank's threads by \
             {} or more; OpenMP's efficiency is {}",
            duration(usual.loss as f64),
            percent(job.factors.openmp),
        ),
        ranks: usual.ranks,
        advice: "see a rank's own report: `omphalos report` with the name of its profile"
            .to_owned(),
    })
}

/// Finds one thread that works outside regions, while the others have nothing to do.
fn serial(job: &Job, slowness: f64) -> Option<JobFinding> {
    let loss = |row: &Row| (row.rank, row.serial - row.serial / row.threads.max(1));
    let usual = Usual::of(&job.rows.iter().map(loss).collect::<Vec<_>>())?;
    let time = mean(job.rows.iter().filter(|row| usual.is_of(row.rank)).map(|row| row.serial));
    let (whose, who) = match &usual.ranks[..] {
        [] => ("each rank".to_owned(), "a rank works"),
        some => (format!("each of ranks {}", groups::ranges(some)), "such a rank works"),
    };
    Some(JobFinding {
        disease: "serial-time",
        name: format!("one thread of {whose} works while the others have nothing to do"),
        cost: (usual.loss as f64 * slowness) as u64,
        evidence: format!("{who} for {} outside of regions on average", duration(time)),
        ranks: usual.ranks,
        advice: "see a rank's own report for what it does there; fewer threads and more ranks may \
                 suit the program better"
            .to_owned(),
        ..JobFinding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::Usual;

    fn usual(losses: &[u64]) -> (u64, Vec<u32>) {
        let numbered: Vec<(u32, u64)> = (0..).zip(losses.iter().copied()).collect();
        let usual = Usual::of(&numbered).expect("a rank");
        (usual.loss, usual.ranks)
    }

    #[test]
    fn a_loss_is_said_of_the_ranks_that_have_it() {
        assert_eq!(usual(&[500, 510, 520]), (510, vec![]));
        assert_eq!(usual(&[500, 2, 510, 520]), (500, vec![0, 2, 3]));
        // The loss of one of two is no usual one.
        assert_eq!(usual(&[260, 2]).0, 2);
        assert_eq!(usual(&[1, 500, 1, 1]).0, 1);
        assert!(Usual::of(&[]).is_none());
    }
}
