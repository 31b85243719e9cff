//! A program that was given one CPU, and therefore makes teams of one thread.

use super::{Disease, Finding, at, cores, is_or_are};
use crate::Analysis;
use crate::diagnosis::{duration, one_thread, percent};
use crate::model::{RegionRow, ratio, total};
use crate::placement::{Cpus, cause, named};

/// Finds it where nobody asked for one thread, and the machine's other CPUs were idle. Ranks of a
/// job have their neighbours there.
pub(super) fn find(analysis: &Analysis) -> Option<Finding> {
    let (summary, placement) = (analysis.summary(), analysis.placement());
    let others: Cpus = placement.online.difference(&placement.allowed).copied().collect();
    let is_one = placement.allowed.len() == 1 && summary.usable_cpus == 1;
    if !is_one || one_thread::is_asked_by_user(&summary.environment) {
        return None;
    }
    if others.is_empty() || !cores::are_idle(analysis, others.len()) {
        return None;
    }
    let is_alone = |row: &&RegionRow| row.level == 1 && row.team_size() < 1.05;
    let rows = || analysis.regions().iter().filter(is_alone);
    let longest = rows().max_by_key(|row| row.elapsed)?;
    let time = total(rows().map(|row| row.elapsed.min(row.work)));
    let share = 1.0 - 1.0 / placement.online.len() as f64;
    let cause = cause(placement, &summary.environment, &placement.allowed, true);
    let evidence = format!(
        "the process may use {} alone, so its regions have one thread, for {} of {} elapsed ({}), \
         while {} {} idle: {}",
        named(&placement.allowed),
        duration(time as f64),
        duration(summary.elapsed as f64),
        percent(ratio(time, summary.elapsed)),
        named(&others),
        is_or_are(&others),
        cause.who,
    );
    Some(at(Disease::Placement, longest, (time as f64 * share) as u64, evidence, cause.cure))
}
