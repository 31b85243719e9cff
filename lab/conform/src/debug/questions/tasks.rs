//! Questions about the tasks on the thread.

use super::{Asking, Question, Verdict, compare, compare_count, compare_hex, each_level};

pub const ALL: &[Question] = &[
    Question { name: "tasks", by: "ompd_get_curr_task_handle", ask: count },
    Question { name: "task's tool data", by: "ompd_get_tool_data", ask: words },
    Question { name: "task's region", by: "ompd_get_task_parallel_handle", ask: regions },
    Question { name: "scheduling task", by: "ompd_get_scheduling_task_handle", ask: scheduling },
    Question { name: "generating task", by: "ompd_get_generating_task_handle", ask: generating },
    Question { name: "exit frames", by: "ompd_get_task_frame", ask: exits },
    Question { name: "enter frames", by: "ompd_get_task_frame", ask: enters },
    Question { name: "frames' flags", by: "ompd_get_task_frame", ask: flags },
    Question { name: "implicit-task-var", by: "ompd_get_icv_from_scope", ask: implicit },
    Question { name: "final-task-var", by: "ompd_get_icv_from_scope", ask: finals },
];

fn count(asking: &Asking<'_>) -> Verdict {
    compare_count(&asking.tasks(), asking.record.tasks.len())
}

fn words(asking: &Asking<'_>) -> Verdict {
    each_level(asking.tasks(), &asking.record.tasks, |task, ompt| {
        compare_hex(task.data(), ompt.word)
    })
}

fn regions(asking: &Asking<'_>) -> Verdict {
    each_level(asking.tasks(), &asking.record.tasks, |task, ompt| {
        compare_hex(task.parallel().and_then(|region| region.data()), ompt.region)
    })
}

/// Compares the task that an explicit task interrupted on its thread.
fn scheduling(asking: &Asking<'_>) -> Verdict {
    let [Some(task), Some(outer), ..] = &asking.record.tasks[..] else { return Verdict::Nothing };
    if task.is_implicit() {
        return Verdict::Nothing;
    }
    let found = asking.thread().and_then(|thread| thread.task()?.scheduling()?.data());
    compare_hex(found, outer.word)
}

/// Compares the task that encountered the construct; for an implicit task, the one that encountered
/// its region.
fn generating(asking: &Asking<'_>) -> Verdict {
    let record = asking.record;
    let is_implicit = record.task().is_none_or(|task| task.is_implicit());
    let Some(made) = (if is_implicit { record.encountering } else { record.parent }) else {
        return Verdict::Nothing;
    };
    let found = asking.thread().and_then(|thread| thread.task()?.generating()?.data());
    compare_hex(found, made)
}

fn frames(asking: &Asking<'_>, which: usize) -> Verdict {
    each_level(asking.tasks(), &asking.record.tasks, |task, ompt| {
        compare_hex(task.frames().map(|frames| frames[which].address), ompt.frames[which].0)
    })
}

fn exits(asking: &Asking<'_>) -> Verdict {
    frames(asking, 0)
}

fn enters(asking: &Asking<'_>) -> Verdict {
    frames(asking, 1)
}

/// Compares the flags of those frames that exist.
fn flags(asking: &Asking<'_>) -> Verdict {
    each_level(asking.tasks(), &asking.record.tasks, |task, ompt| {
        let of = |flags: [u64; 2]| {
            [0, 1].map(|which| if ompt.frames[which].0 == 0 { 0 } else { flags[which] })
        };
        let found = task.frames().map(|frames| of(frames.map(|frame| frame.flag)));
        compare(found, of(ompt.frames.map(|(_, flag)| flag)), |[exit, enter]| {
            format!("exit {exit:#x}, enter {enter:#x}")
        })
    })
}

fn flag(asking: &Asking<'_>, name: &str, ompt: fn(&crate::debug::record::Task) -> bool) -> Verdict {
    let Some(icv) = asking.process.icv(name) else {
        return Verdict::CannotTell(format!("{name} is not enumerated"));
    };
    each_level(asking.tasks(), &asking.record.tasks, |task, of_task| {
        let found = task.number(icv).map(|(value, _)| value != 0);
        compare(found, ompt(of_task), bool::to_string)
    })
}

fn implicit(asking: &Asking<'_>) -> Verdict {
    flag(asking, "implicit-task-var", |task| task.is_implicit())
}

fn finals(asking: &Asking<'_>) -> Verdict {
    flag(asking, "final-task-var", |task| task.is_final())
}
