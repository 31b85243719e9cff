//! Waits of threads in many regions, in none of them long enough for a finding of its own.

use super::{BUSY, Disease, Finding, IMBALANCE_SHARE, duration, is_worth_naming, percent};
use crate::Analysis;
use crate::model::{RegionRow, ratio, total};

/// Fewer regions than this are looked at one by one.
const SEVERAL: usize = 3;

/// Returns the finding, or the doubt that would be one on a machine that was not busy.
pub(super) fn find(
    analysis: &Analysis,
    is_explained: &dyn Fn(&RegionRow) -> bool,
) -> (Option<Finding>, Option<String>) {
    let summary = analysis.summary();
    let rows = analysis.regions().iter();
    let is_open = |row: &&RegionRow| row.level == 1 && row.team_size() > 1.0 && !is_explained(row);
    let mut rows: Vec<&RegionRow> = rows.filter(is_open).filter(|row| wait(row) > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(wait(row)));
    let waited = total(rows.iter().map(|row| wait(row)));
    let Some(most) = rows.first().filter(|_| rows.len() >= SEVERAL) else { return (None, None) };
    // A region that has most of the waits is a finding of its own.
    if ratio(waited, summary.alive) < IMBALANCE_SHARE || wait(most) > waited / 2 {
        return (None, None);
    }
    let cost = rows.iter().map(|row| wait(row) as f64 / row.team_size()).sum::<f64>() as u64;
    let said = format!(
        "threads wait {} in {} regions, {} of all their time",
        duration(waited as f64),
        rows.len(),
        percent(ratio(waited, summary.alive)),
    );
    if summary.cpu_share < BUSY {
        let is_worth = is_worth_naming(cost, summary.covered);
        let doubt = format!(
            "{said}, but threads that could run had a CPU only {} of the time, which does the \
             same: record again on an idle machine",
            percent(summary.cpu_share),
        );
        return (None, is_worth.then_some(doubt));
    }
    let named = rows.iter().take(SEVERAL);
    let named = named.map(|row| format!("{} {}", row.construct.label, duration(wait(row) as f64)));
    let finding = Finding {
        disease: Disease::ScatteredWaits,
        place: most.construct.label.clone(),
        file: most.construct.file.clone(),
        line: most.construct.line,
        cost,
        evidence: format!(
            "{said}, and in none so long that it would be named alone: {}",
            named.collect::<Vec<_>>().join(", "),
        ),
        advice: "let the threads meet less often (one region around several, nowait, larger \
                 pieces), and give them the same work in each: the table of regions tells both \
                 apart",
    };
    (Some(finding), None)
}

fn wait(row: &RegionRow) -> u64 {
    total([row.barrier_wait, row.mutex_wait, row.task_wait].into_iter())
}
