//! The runtime's own doing: handing out chunks of a loop, making tasks, entering constructs.

use super::{Disease, Finding, OVERHEAD_SHARE, duration, percent};
use crate::Analysis;
use crate::model::{RegionRow, ratio};

pub(super) fn find(analysis: &Analysis, is_explained: &dyn Fn(&RegionRow) -> bool) -> Vec<Finding> {
    let rows = analysis.regions().iter().filter(|row| !is_explained(row));
    rows.filter_map(|row| {
        let share = ratio(row.overhead, row.thread_time());
        if share < OVERHEAD_SHARE {
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
