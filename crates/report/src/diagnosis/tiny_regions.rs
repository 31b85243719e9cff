//! Too many tiny regions: entering and leaving a region costs as much as what is done in it.

use super::{Disease, Finding, MANY_REGIONS, TINY_REGION, TINY_REGION_LOSS, TINY_WORK};
use super::{count, duration, percent};
use crate::Analysis;
use crate::model::ratio;

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let mut findings = Vec::new();
    for row in analysis.regions() {
        let team = row.team_size();
        // On a busy machine a region also lasts while its threads are not let run.
        let cpu_share = analysis.summary().cpu_share;
        let work = ratio(row.work, row.team_size_sum) * cpu_share;
        let tiny = row.instances >= MANY_REGIONS
            && (row.mean_elapsed() * cpu_share < TINY_REGION || work < TINY_WORK);
        if !tiny || team <= 1.0 {
            continue;
        }
        let available = (row.elapsed as f64 * team).max(row.thread_time() as f64);
        let lost = (available - row.work as f64).max(0.0);
        let share = lost / available.max(1.0);
        if share < TINY_REGION_LOSS {
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
            cost: (lost / team) as u64,
            evidence,
            advice: "put the region around the loop that contains it, join neighbouring regions, \
                     or run small cases serially (if clause)",
        });
    }
    findings
}
