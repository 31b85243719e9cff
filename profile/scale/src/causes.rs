//! The causes of one size's lost time: by construct and class, with the report's findings.

use omphalos_diff::{Finding, Run};
use serde::{Deserialize, Serialize};

use crate::classes::Class;
use crate::limit::{Limit, of_class};
use crate::machine::Machine;
use crate::rows::Construct;

/// A loss of this share of the elapsed time is worth a word.
const LEAST_SHARE: f64 = 0.02;

/// A loss, and its cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// The cause.
    pub limit: Limit,
    /// The construct that has it.
    pub construct: String,
    /// The class of most of the lost time.
    pub class: Class,
    /// The elapsed time that it stands for, ns.
    pub lost_ns: f64,
    /// As a share of the elapsed time.
    pub share: f64,
    /// The share of the construct's own time that it took with the fewest threads above one; none
    /// where that is this size.
    pub share_earlier: Option<f64>,
    /// The same at this size.
    pub share_of_construct: f64,
    /// True where it takes a larger share with more threads.
    pub grows: bool,
    /// The name in the report's finding: a lock, a variable, a function.
    pub place: Option<String>,
    /// The figures behind it, from the report.
    pub evidence: Option<String>,
    /// The advice, from the report.
    pub advice: Option<String>,
}

/// A share grows if it becomes larger by at least this.
const GROWTH: f64 = 0.05;

/// The input for finding causes.
pub(crate) struct Look<'a> {
    pub(crate) constructs: &'a [Construct],
    pub(crate) sizes: &'a [u32],
    /// The size that is looked at.
    pub(crate) at: usize,
    pub(crate) run: &'a Run,
    pub(crate) machine: &'a Machine,
    /// True where other programs used the machine: a loss without a finding of the report may be
    /// theirs.
    pub(crate) is_busy: bool,
}

impl Look<'_> {
    /// Returns all causes that are worth a word, the greatest first.
    pub(crate) fn causes(&self) -> Vec<Cause> {
        let elapsed = self.run.summary.elapsed_ns.max(1.0);
        let outermost = self.constructs.iter().filter(|construct| construct.is_outermost());
        let rows = outermost.filter_map(|construct| Some((construct, construct.sizes[self.at]?)));
        let losses = rows.flat_map(|(construct, row)| {
            Class::ALL.into_iter().map(move |class| (construct, row, class))
        });
        let worth = losses.filter(|(_, row, class)| row.lost.of(*class) >= LEAST_SHARE * elapsed);
        let mut all: Vec<(bool, Cause)> = worth
            .map(|(construct, row, class)| self.cause(construct, row.lost.of(class), class))
            .collect();
        let fixed = self.constructs.iter().filter_map(|construct| {
            let lost = self.lost_to_a_fixed_team(construct)?;
            (lost >= LEAST_SHARE * elapsed)
                .then(|| self.cause(construct, lost, Class::UnusedThreads))
        });
        all.extend(fixed);
        let is_sure =
            |(is_found, cause): &(bool, Cause)| *is_found || cause.limit == Limit::Oversubscription;
        let is_doubtful = self.is_busy && !all.iter().any(is_sure);
        if self.is_busy && !is_doubtful {
            all.retain(is_sure);
        }
        let mut merged: Vec<Cause> = Vec::new();
        all.sort_by(|(_, a), (_, b)| b.lost_ns.total_cmp(&a.lost_ns));
        for (_, cause) in all {
            let same = |known: &&mut Cause| {
                known.limit == cause.limit && known.construct == cause.construct
            };
            match merged.iter_mut().find(same) {
                Some(known) => {
                    known.lost_ns += cause.lost_ns;
                    known.share += cause.share;
                }
                None => merged.push(cause),
            }
        }
        // Time that other programs took is no limit of the program, unless nothing else is known.
        let is_behind = |cause: &Cause| (cause.limit == Limit::BusyMachine) != is_doubtful;
        merged
            .sort_by(|a, b| is_behind(a).cmp(&is_behind(b)).then(b.lost_ns.total_cmp(&a.lost_ns)));
        merged
    }

    /// Returns a cause, and whether a finding of the report agrees.
    fn cause(&self, construct: &Construct, lost_ns: f64, class: Class) -> (bool, Cause) {
        let (mut limit, findings) = of_class(class);
        let found = self.finding(construct, findings);
        if let Some((named, _)) = found {
            limit = named;
        }
        limit = match limit {
            Limit::WorkAdded if self.threads() > self.machine.cores() => Limit::SharedCores,
            Limit::Imbalance if self.threads() > self.machine.fast_cores() => {
                match self.threads() > self.machine.cores() {
                    true => Limit::Imbalance,
                    false => Limit::UnequalCores,
                }
            }
            limit => limit,
        };
        // A thread without a CPU is late at barriers, and then the runtime's own work takes longer.
        let of_crowds = [Class::BarrierWait, Class::Overhead, Class::WithoutCpu];
        if of_crowds.contains(&class) && self.is_crowded(construct) {
            limit = Limit::Oversubscription;
        }
        let share_at = |at: usize| {
            let row = construct.sizes[at]?;
            Some(row.lost.of(class) / row.elapsed_ns.max(1.0))
        };
        let first_team = self.sizes.iter().position(|threads| *threads > 1);
        let earlier = first_team.filter(|first| *first < self.at).and_then(share_at);
        let share_of_construct = share_at(self.at).unwrap_or(0.0);
        let cause = Cause {
            limit,
            construct: construct.label.clone(),
            class,
            lost_ns,
            share: lost_ns / self.run.summary.elapsed_ns.max(1.0),
            share_earlier: earlier,
            share_of_construct,
            grows: earlier.is_some_and(|earlier| share_of_construct - earlier >= GROWTH),
            place: found.map(|(_, finding)| finding.place.clone()),
            evidence: found.map(|(_, finding)| finding.evidence.clone()),
            advice: found.map(|(_, finding)| finding.advice.clone()),
        };
        (found.is_some(), cause)
    }

    fn threads(&self) -> u32 {
        self.sizes[self.at]
    }

    /// Whether a construct's team has more threads than there are CPUs.
    fn is_crowded(&self, construct: &Construct) -> bool {
        let processors = f64::from(self.machine.processors());
        construct.sizes[self.at].is_some_and(|row| row.team_size > processors)
    }

    /// Returns the time that a construct might gain, ns, if its team, which is as large as at the
    /// first size, grew with the size.
    fn lost_to_a_fixed_team(&self, construct: &Construct) -> Option<f64> {
        let (first, row) = (construct.sizes.first().copied().flatten()?, construct.sizes[self.at]?);
        let is_fixed = construct.level == 1
            && first.team_size > 1.5
            && !self.is_crowded(construct)
            && (first.team_size - row.team_size).abs() < 0.05
            && row.lost.unused_threads_ns <= 0.0;
        let grows = 1.0 - f64::from(self.sizes[0]) / f64::from(self.threads());
        (is_fixed && self.at > 0).then_some(row.elapsed_ns * grows)
    }

    /// Returns the report's finding for a construct: one about the construct itself, or the
    /// costliest that is about no other region.
    fn finding(
        &self,
        construct: &Construct,
        wanted: &[(&'static str, Limit)],
    ) -> Option<(Limit, &Finding)> {
        let named = |finding: &&Finding| wanted.iter().any(|(id, _)| *id == finding.disease);
        let is_other = |finding: &&Finding| {
            let mut regions = self.constructs.iter().filter(|other| other.level > 0);
            regions.any(|other| other.label == finding.place && other.label != construct.label)
        };
        let all = || self.run.diagnosis.iter().filter(named);
        let own = all().find(|finding| finding.place == construct.label);
        let finding = own.or_else(|| all().find(|finding| !is_other(finding)))?;
        let (_, limit) = wanted.iter().find(|(id, _)| *id == finding.disease)?;
        Some((*limit, finding))
    }
}
