//! Finds the task construct that keeps a region's threads waiting, where the region's work is in
//! tasks: its tasks last much longer than others, or run one at a time.

use super::{BARRIER_SHARE, BUSY, Disease, LONG_TASK, ONE_AT_A_TIME, count, duration, percent};
use crate::Analysis;
use crate::model::{RegionRow, TaskRow, ratio};

/// A task construct that is slow, and why.
pub(super) struct SlowTasks<'a> {
    pub(super) row: &'a TaskRow,
    pub(super) disease: Disease,
    pub(super) evidence: String,
    pub(super) advice: &'static str,
}

/// Returns a construct whose tasks last too long, or else one whose tasks run one at a time: of
/// several that the region can contain, the one with the most work.
pub(super) fn find<'a>(analysis: &'a Analysis, region: &RegionRow) -> Option<SlowTasks<'a>> {
    let is_its = |row: &&TaskRow| row.work <= region.task_work.saturating_add(region.blocked);
    let mut rows: Vec<&TaskRow> = analysis.tasks().iter().filter(is_its).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.work));
    let long = rows.iter().find_map(|row| too_long(region, row));
    long.or_else(|| rows.iter().find_map(|row| one_at_a_time(region, row)))
}

fn too_long<'a>(region: &RegionRow, row: &'a TaskRow) -> Option<SlowTasks<'a>> {
    let mean = ratio(region.task_work, region.tasks_executed);
    let is_long = |time: f64| time >= LONG_TASK * mean;
    // Where every task of the construct is long, threads wait for each of them.
    let in_long = if is_long(row.mean_time()) { row.work } else { row.longest };
    if !is_long(row.longest as f64) || ratio(in_long, region.elapsed) < BARRIER_SHARE {
        return None;
    }
    let evidence = format!(
        "its longest task takes {}, where the {} tasks of the region take {} on average; its tasks \
         add up to {} of the region's {} elapsed",
        duration(row.longest as f64),
        count(region.tasks_executed),
        duration(mean),
        duration(row.work as f64),
        duration(region.elapsed as f64),
    );
    Some(SlowTasks {
        row,
        disease: Disease::LongTask,
        evidence,
        advice: "cut the long task into several, or let it be made first (priority): the other \
                 threads have nothing left to do while it ends",
    })
}

fn one_at_a_time<'a>(region: &RegionRow, row: &'a TaskRow) -> Option<SlowTasks<'a>> {
    // The work of tasks is time on a CPU: it is compared with the part of the elapsed time in which
    // threads at work had one.
    let with_cpu = ratio(region.work, region.work.saturating_add(region.without_cpu));
    let elapsed = (region.elapsed as f64 * with_cpu) as u64;
    let share = ratio(row.work, elapsed);
    if row.executed < 2 || !ONE_AT_A_TIME.contains(&share) {
        return None;
    }
    let evidence = format!(
        "its {} tasks of {} each add up to {} of the region's {} elapsed{} ({}): about one of them \
         runs at a time",
        count(row.executed),
        duration(row.mean_time()),
        duration(row.work as f64),
        duration(elapsed as f64),
        if with_cpu < BUSY { " with a CPU" } else { "" },
        percent(share),
    );
    Some(SlowTasks {
        row,
        disease: Disease::TaskShortage,
        evidence,
        advice: if region.constructs.iter().any(|inner| inner.name == "taskloop") {
            "let the taskloop make more and smaller tasks, at least several for each thread: a \
             smaller grainsize, or num_tasks"
        } else {
            "let several of them run at a time (fewer dependences between them, no taskwait \
             behind each), or let each do less: its tasks take turns, and others wait for them"
        },
    })
}
