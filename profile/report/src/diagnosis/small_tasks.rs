//! Tasks too small: the time in the task construct's regions is spent on making, scheduling and
//! waiting for tasks rather than in them.

use super::{
    Disease, Finding, MANY_TASKS, SMALL_TASK, TASK_COST, TASK_WORK_SHARE, count, duration,
    is_kept_from_running, percent,
};
use crate::Analysis;
use crate::model::{RegionRow, TaskRow, ratio, total};

pub(super) fn find(analysis: &Analysis) -> Vec<Finding> {
    // A nested region's time is part of the outer one's.
    let outermost = |row: &&RegionRow| {
        let has_tasks = |label: &str| {
            analysis.regions().iter().any(|r| &*r.construct.label == label && r.tasks_created > 0)
        };
        row.parent.as_ref().is_none_or(|parent| !has_tasks(&parent.label))
    };
    let with_tasks =
        || analysis.regions().iter().filter(|row| row.tasks_created > 0).filter(outermost);
    // On a busy machine threads wait at barriers for others that have no processor.
    let busy = is_kept_from_running(analysis);
    let not_theirs = |row: &RegionRow| row.without_cpu + if busy { row.barrier_wait } else { 0 };
    let time = total(with_tasks().map(|row| row.thread_time().saturating_sub(not_theirs(row))));
    let team = with_tasks().map(|row| row.team_size()).fold(1.0, f64::max);
    let in_tasks = total(analysis.tasks().iter().map(|row| row.work));
    let share = ratio(in_tasks, time);
    let number = |row: &TaskRow| row.executed.max(row.created);
    let all = analysis.tasks().iter().map(number).fold(0, u64::saturating_add);
    let mut findings = Vec::new();
    for row in analysis.tasks() {
        let executed = row.executed.max(row.created);
        if executed < MANY_TASKS || row.mean_time() >= SMALL_TASK || share >= TASK_WORK_SHARE {
            continue;
        }
        // The regions' loss is divided among the constructs, by the number of their tasks.
        let part = (time.saturating_sub(in_tasks) as f64 * ratio(executed, all)) as u64;
        let lost = part.min(executed.saturating_mul(TASK_COST));
        let evidence = format!(
            "{} tasks of {} each on average: of the {} that threads spend in the regions with \
             tasks, {} are in tasks",
            count(executed),
            duration(row.mean_time()),
            duration(time as f64),
            percent(share),
        );
        findings.push(Finding {
            disease: Disease::SmallTasks,
            place: row.construct.label.clone(),
            file: row.construct.file.clone(),
            line: row.construct.line,
            cost: (lost as f64 / team) as u64,
            evidence,
            advice: "give each task more work: stop making tasks below a size (if, final), \
                     taskloop with grainsize, or a worksharing loop",
        });
    }
    findings
}
