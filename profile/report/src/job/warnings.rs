//! The gaps of a job's report, and threads that may not call MPI but do.

use std::collections::BTreeSet;

use super::clocks::Clocks;
use super::rank::Rank;
use super::{Job, LEVELS, groups};

/// Up to this level, only one thread of a process may call MPI.
const ONE_THREAD: u32 = 2;

impl Job {
    /// Warns of what the job lacks. `left_out`: the parts in MPI that there was no room for.
    pub(super) fn warn(&mut self, ranks: &[Rank], left_out: u64, clocks: &Clocks) {
        let numbers: BTreeSet<u32> = ranks.iter().map(|rank| rank.number).collect();
        /// A damaged file may claim any number of ranks.
        const MOST: u32 = 1 << 20;
        let all = 0..self.size.min(MOST);
        let missing: Vec<u32> = all.filter(|rank| !numbers.contains(rank)).collect();
        let ranges = groups::ranges;
        if !missing.is_empty() {
            self.warnings.push(format!(
                "of {} of the {} ranks there is no profile: {}",
                missing.len(),
                self.size,
                ranges(&missing)
            ));
        }
        let those = |is_it: &dyn Fn(&Rank) -> bool| -> Vec<u32> {
            ranks.iter().filter(|rank| is_it(rank)).map(|rank| rank.number).collect()
        };
        let torn = those(&|rank| !rank.is_complete);
        if !torn.is_empty() {
            self.warnings.push(format!(
                "the profiles of these ranks have no end, since they were killed or run still: {}",
                ranges(&torn)
            ));
        }
        let damaged = those(&|rank| rank.damaged > 0);
        if !damaged.is_empty() {
            self.warnings.push(format!("damaged in part: the profiles of {}", ranges(&damaged)));
        }
        let against = those(&|rank| (1..=ONE_THREAD).contains(&rank.level) && rank.mpi_threads > 1);
        if let Some(first) = ranks.iter().find(|rank| against.contains(&rank.number)) {
            let others: Vec<u32> =
                against.iter().copied().filter(|rank| *rank != first.number).collect();
            self.warnings.push(format!(
                "{} threads of rank {} call MPI, which gave it {}: only the first may, and what \
                 happens otherwise is undefined (MPI_Init_thread asks for more){}",
                first.mpi_threads,
                first.number,
                LEVELS.get(first.level as usize).copied().unwrap_or_default(),
                match &others[..] {
                    [] => String::new(),
                    [one] => format!("; so do those of rank {one}"),
                    several => format!("; so do those of ranks {}", groups::ranges(several)),
                },
            ));
        }
        if left_out > 0 {
            self.warnings.push(format!(
                "{left_out} parts in calls of MPI were too many: waits in MPI are of the others"
            ));
        }
        match clocks.unsure {
            None => {}
            Some(i128::MAX) => self.warnings.push(
                "nothing tells how far the nodes' clocks are apart: waits in MPI go by their wall \
                 clocks"
                    .to_owned(),
            ),
            Some(unsure) => self.clocks_unsure = u64::try_from(unsure).ok(),
        }
    }
}
