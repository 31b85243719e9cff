//! Finds a control group that stops the process because the process computes for longer than the
//! group grants.

use super::{Busy, Disease, Finding};
use crate::Analysis;
use crate::model::total;
use crate::placement::GroupLimit;

/// Returns the process's control group, if it stopped the process for much of the time.
pub(crate) fn is_throttled(analysis: &Analysis) -> Option<&GroupLimit> {
    analysis.placement().group.as_ref().filter(|group| group.has_stopped())
}

pub(super) fn find(analysis: &Analysis, busy: &[Busy]) -> Option<Finding> {
    let group = is_throttled(analysis)?;
    let threads = busy.len().max(1) as u64;
    // The mean time for which a busy thread wanted to run and had no CPU.
    let queued = total(busy.iter().map(|one| one.row.runnable)) / threads;
    let most = analysis.summary().covered as f64 * group.stopped_share();
    let rows = analysis.regions().iter().filter(|row| row.level == 1);
    let team = rows.map(|row| row.team_size()).fold(1.0, f64::max);
    Some(Finding {
        disease: Disease::Throttled,
        place: group.name().into(),
        file: None,
        line: 0,
        cost: queued.min(group.throttled).min(most as u64),
        evidence: group.evidence(team),
        advice: group.advice(team),
    })
}
