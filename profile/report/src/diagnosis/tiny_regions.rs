//! Too many tiny regions: entering and leaving a region costs as much as the work in it.

use super::{Disease, Finding, MANY_REGIONS, TINY_REGION, TINY_REGION_LOSS, TINY_WORK};
use super::{LEAST_COST, LEAST_SHARE, SURELY_TINY_WORK};
use super::{count, duration, is_kept_from_running, percent, profiling};
use crate::Analysis;
use crate::model::ratio;
use std::rc::Rc;

/// Returns the findings; and doubts with their places, where other programs had the CPUs: a team
/// that waits for a member without a CPU looks the same.
pub(super) fn find(analysis: &Analysis) -> (Vec<Finding>, Vec<(Rc<str>, String)>) {
    let (mut findings, mut doubts) = (Vec::new(), Vec::new());
    let is_busy = is_kept_from_running(analysis);
    for row in analysis.regions() {
        let team = row.team_size();
        // On a busy machine a region also lasts while its threads are not let run.
        let cpu_share = analysis.summary().cpu_share;
        let work = ratio(row.work, row.team_size_sum);
        let tiny = row.instances >= MANY_REGIONS
            && (row.mean_elapsed() * cpu_share < TINY_REGION || work < TINY_WORK);
        if !tiny || team <= 1.0 {
            continue;
        }
        let available = (row.elapsed as f64 * team).max(row.thread_time() as f64);
        // The time in which threads had less work than the busiest one is no cost of the region's
        // begin and end.
        let other = row.work.saturating_add(row.without_cpu).saturating_add(row.imbalance);
        let lost = (available - other as f64).max(0.0);
        if lost / available.max(1.0) < TINY_REGION_LOSS {
            continue;
        }
        let lost = (lost - profiling(analysis, row).min(row.overhead) as f64).max(0.0);
        let share = lost / available.max(1.0);
        let cost = (lost / team) as u64;
        if is_busy && work >= SURELY_TINY_WORK {
            if cost >= LEAST_COST && ratio(cost, analysis.summary().covered) >= LEAST_SHARE {
                let doubt = format!(
                    "{} is entered {} times, and {} of its team's time ({}) goes into fork, join \
                     and barriers, but threads that could run had a CPU only {} of the time, \
                     which does the same: record again on an idle machine",
                    row.construct.label,
                    count(row.instances),
                    percent(share),
                    duration(lost),
                    percent(cpu_share),
                );
                doubts.push((row.construct.label.clone(), doubt));
            }
            continue;
        }
        let evidence = format!(
            "entered {} times, {} each on average; {} of the team's time goes into fork, join and \
             barriers ({})",
            count(row.instances),
            duration(row.mean_elapsed()),
            percent(share),
            duration(lost),
        );
        findings.push(Finding {
            disease: Disease::TinyRegions,
            place: row.construct.label.clone(),
            file: row.construct.file.clone(),
            line: row.construct.line,
            cost,
            evidence,
            advice: "put the region around the loop that contains it, join neighbouring regions, \
                     or run small cases serially (if clause)",
        });
    }
    (findings, doubts)
}
