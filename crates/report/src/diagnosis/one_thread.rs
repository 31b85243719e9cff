//! Regions that run on one thread although there are more CPUs: they share nothing.

use super::{Disease, Finding, SERIAL_SHARE, duration, percent};
use crate::Analysis;
use crate::model::{RegionRow, ratio, total};

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let summary = analysis.summary();
    if summary.cpus < 2 {
        return Vec::new();
    }
    // Inside of a team one thread is most often what was asked for.
    let is_alone = |row: &&RegionRow| row.level == 1 && row.team_size() < 1.05;
    // Threads that the program made itself share the CPUs among them.
    let unused =
        |row: &RegionRow| (1.0 - row.cpu_threads.max(1) as f64 / f64::from(summary.cpus)).max(0.0);
    let rows = analysis.regions().iter().filter(is_alone).filter(|row| unused(row) > 0.0);
    rows.map(|row| (row, alone(analysis, row)))
        .filter(|(_, alone)| ratio(*alone, summary.covered) >= SERIAL_SHARE)
        .map(|(row, alone)| Finding {
            disease: Disease::OneThread,
            place: row.construct.label.clone(),
            file: row.construct.file.clone(),
            line: row.construct.line,
            cost: (row.work.min(alone) as f64 * unused(row)) as u64,
            evidence: format!(
                "it has one thread on {} CPUs, for {} of {} elapsed ({})",
                summary.cpus,
                duration(alone as f64),
                duration(summary.elapsed as f64),
                percent(ratio(alone, summary.elapsed)),
            ),
            advice: "give it more threads: OMP_NUM_THREADS, num_threads, an if clause, or \
                     OMP_MAX_ACTIVE_LEVELS",
        })
        .collect()
}

/// Its time outside of regions inside of it that have a team.
fn alone(analysis: &Analysis, row: &RegionRow) -> u64 {
    let is_inside = |inner: &&RegionRow| {
        let parent = inner.parent.as_ref();
        inner.team_size() >= 1.05 && parent.is_some_and(|p| p.label == row.construct.label)
    };
    let teams = analysis.regions().iter().filter(is_inside);
    row.elapsed.saturating_sub(total(teams.map(|inner| inner.elapsed)))
}
