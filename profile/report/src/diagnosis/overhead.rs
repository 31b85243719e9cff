//! The runtime's own doing: handing out chunks of a loop, making tasks, entering constructs.

use super::{Disease, Finding, JOINING, OVERHEAD_SHARE, duration, is_kept_from_running, percent};
use crate::Analysis;
use crate::model::{RegionRow, ratio};

pub(super) fn find(analysis: &Analysis, is_explained: &dyn Fn(&RegionRow) -> bool) -> Vec<Finding> {
    let rows = analysis.regions().iter().filter(|row| !is_explained(row));
    let is_busy = is_kept_from_running(analysis);
    rows.filter_map(|row| {
        // A thread that is not let run comes late to a region: that is none of the runtime's doing.
        let late = match is_busy {
            true => row
                .overhead
                .saturating_sub(row.handing_out)
                .saturating_sub(row.team_size_sum.saturating_mul(JOINING)),
            false => 0,
        };
        let share = ratio(row.overhead, row.thread_time());
        if ratio(row.overhead - late, row.thread_time() - late) < OVERHEAD_SHARE {
            return None;
        }
        let evidence = format!(
            "the runtime itself has {} of the {} that threads spend in the region ({}): it hands \
             out chunks of a loop, makes tasks, or enters and leaves other constructs",
            duration(row.overhead as f64),
            duration(row.thread_time() as f64),
            percent(share),
        );
        Some(Finding {
            disease: Disease::Overhead,
            place: row.construct.label.clone(),
            file: row.construct.file.clone(),
            line: row.construct.line,
            cost: (row.overhead as f64 / row.team_size().max(1.0)) as u64,
            evidence,
            advice: "larger chunks (schedule(dynamic, N) or static), and fewer constructs inside \
                     of loops",
        })
    })
    .collect()
}
