//! Regions that run on one thread although there are more CPUs: they share nothing.

use super::{Disease, Finding, SERIAL_SHARE, duration, percent};
use crate::Analysis;
use crate::model::ratio;

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    let summary = analysis.summary();
    if summary.cpus < 2 {
        return Vec::new();
    }
    // Inside of a team one thread is most often what was asked for.
    let rows = analysis.regions().iter().filter(|row| row.level == 1 && row.team_size() < 1.05);
    rows.filter(|row| ratio(row.elapsed, summary.covered) >= SERIAL_SHARE)
        .map(|row| Finding {
            disease: Disease::OneThread,
            place: row.construct.label.clone(),
            file: row.construct.file.clone(),
            line: row.construct.line,
            cost: (row.work as f64 * (1.0 - 1.0 / f64::from(summary.cpus))) as u64,
            evidence: format!(
                "it has one thread on {} CPUs, for {} of {} elapsed ({})",
                summary.cpus,
                duration(row.elapsed as f64),
                duration(summary.elapsed as f64),
                percent(ratio(row.elapsed, summary.elapsed)),
            ),
            advice: "give it more threads: OMP_NUM_THREADS, num_threads, an if clause, or \
                     OMP_MAX_ACTIVE_LEVELS",
        })
        .collect()
}
