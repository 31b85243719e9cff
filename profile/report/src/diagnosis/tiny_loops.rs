//! Loops too small: the threads of a region meet at barriers more often than the work between two
//! meetings is worth.

use super::{Disease, Finding, MANY_REGIONS, MEETING_LOSS, SURELY_TINY_WORK, TINY_REGION_LOSS};
use super::{count, duration, is_kept_from_running, percent, profiling};
use crate::Analysis;
use crate::model::{ConstructRow, RegionRow, ratio};

/// The part of a thread's time between two meetings that is not the program's, ns: steps of the
/// runtime and of the agent on the way out of one and into the next. Events count it as work.
const NO_WORK: f64 = 150.0;
/// If that is more than this share of the work, the report says `at most`.
const NO_WORK_SHARE: f64 = 0.1;

pub(super) fn find(analysis: &Analysis, is_explained: &dyn Fn(&RegionRow) -> bool) -> Vec<Finding> {
    let rows = analysis.regions().iter();
    let rows = rows.filter(|row| row.team_size() > 1.0 && !is_explained(row));
    rows.filter_map(|row| finding(analysis, row)).collect()
}

fn finding(analysis: &Analysis, row: &RegionRow) -> Option<Finding> {
    let meets = |inner: &&ConstructRow| inner.wait.is_some() && !inner.is_mutex();
    let meetings = row.constructs.iter().filter(meets).map(|inner| inner.instances);
    let meetings = meetings.fold(0, u64::saturating_add);
    let between = row.work as f64 / row.team_size() / meetings.max(1) as f64;
    let all = row.barrier_wait.saturating_add(row.overhead);
    let ours = profiling(analysis, row);
    let surely = ratio(all.saturating_sub(ours), row.thread_time());
    let is_surely_lost = !is_kept_from_running(analysis) && surely >= MEETING_LOSS;
    let lost = all - ours.min(row.overhead);
    let share = ratio(lost, row.thread_time());
    let is_lost = ratio(all, row.thread_time()) >= TINY_REGION_LOSS || is_surely_lost;
    if meetings < MANY_REGIONS || between >= SURELY_TINY_WORK || !is_lost {
        return None;
    }
    let lost_each = lost as f64 / row.team_size() / meetings as f64;
    let most = row.constructs.iter().filter(meets).max_by_key(|inner| inner.instances)?;
    let evidence = format!(
        "its threads meet {} times, mostly behind {} {}: {}{} of work for {} of barriers and \
         overhead each time; {} of their time",
        count(meetings),
        most.name,
        most.place(row),
        if NO_WORK > NO_WORK_SHARE * between { "at most " } else { "" },
        duration(between),
        duration(lost_each),
        percent(share),
    );
    Some(Finding {
        disease: Disease::TinyLoops,
        place: row.construct.label.clone(),
        file: row.construct.file.clone(),
        line: row.construct.line,
        cost: (lost as f64 / row.team_size()) as u64,
        evidence,
        advice: "let threads meet less often: share the outer loop instead, join neighbouring \
                 loops, nowait where nothing needs the barrier; another schedule makes it worse",
    })
}
