//! A control group that stops the process, which computed for longer than it is granted.

use super::{Busy, Disease, Finding};
use crate::Analysis;
use crate::diagnosis::{count, duration, percent};
use crate::model::{ratio, total};
use crate::placement::GroupLimit;

/// A group that is stopped in less than this share of its periods costs little.
const STOPPED: f64 = 0.05;

/// The control group that stopped the process in much of the time, if one did.
pub(crate) fn is_throttled(analysis: &Analysis) -> Option<&GroupLimit> {
    let group = analysis.placement().group.as_ref()?;
    (ratio(group.throttled_periods, group.periods) >= STOPPED && group.throttled > 0)
        .then_some(group)
}

pub(super) fn find(analysis: &Analysis, busy: &[Busy]) -> Option<Finding> {
    let group = is_throttled(analysis)?;
    let threads = busy.len().max(1) as u64;
    // All that time the threads wanted to run, and had no CPU.
    let queued = total(busy.iter().map(|one| one.row.runnable)) / threads;
    let stopped = ratio(group.throttled_periods, group.periods).min(1.0);
    let most = analysis.summary().covered as f64 * stopped;
    let cost = queued.min(group.throttled).min(most as u64);
    let granted = group.cpus();
    let rows = analysis.regions().iter().filter(|row| row.level == 1);
    let team = rows.map(|row| row.team_size()).fold(1.0, f64::max);
    let name = match group.path.as_str() {
        "" => "the control group".to_owned(),
        path => format!("the control group {path}"),
    };
    let evidence = format!(
        "it grants {granted:.2} CPUs ({} each {}), and {team:.0} thread{} work{}: in {} of {} \
         periods ({}) it stopped them, for {} in all (summed over CPUs)",
        duration(group.quota as f64 * 1e3),
        duration(group.period as f64 * 1e3),
        if team > 1.0 { "s" } else { "" },
        if team > 1.0 { "" } else { "s" },
        count(group.throttled_periods),
        count(group.periods),
        percent(stopped),
        duration(group.throttled as f64),
    );
    Some(Finding {
        disease: Disease::Throttled,
        place: name.into(),
        file: None,
        line: 0,
        cost,
        evidence,
        advice: if team >= granted + 1.0 && granted >= 1.0 {
            "ask for no more threads than it grants CPUs (OMP_NUM_THREADS), or raise the quota: \
             docker --cpus, Kubernetes' resources.limits.cpu, systemd's CPUQuota"
        } else {
            "raise the quota: docker --cpus, Kubernetes' resources.limits.cpu, systemd's CPUQuota"
        },
    })
}
