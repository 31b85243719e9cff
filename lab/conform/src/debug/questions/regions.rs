//! Questions about the regions around the thread.

use super::{Asking, Question, Verdict, compare, compare_count, compare_hex, each_level};

pub const ALL: &[Question] = &[
    Question { name: "regions", by: "ompd_get_enclosing_parallel_handle", ask: count },
    Question { name: "region's tool data", by: "ompd_get_tool_data", ask: words },
    Question { name: "team sizes", by: "ompd_get_icv_from_scope", ask: sizes },
    Question { name: "thread in its team", by: "ompd_get_thread_in_parallel", ask: member },
    Question { name: "implicit tasks", by: "ompd_get_task_in_parallel", ask: implicit },
];

fn count(asking: &Asking<'_>) -> Verdict {
    compare_count(&asking.regions(), asking.record.regions.len())
}

fn words(asking: &Asking<'_>) -> Verdict {
    each_level(asking.regions(), &asking.record.regions, |region, ompt| {
        compare_hex(region.data(), ompt.word)
    })
}

fn sizes(asking: &Asking<'_>) -> Verdict {
    let Some(icv) = asking.process.icv("team-size-var") else {
        return Verdict::CannotTell("team-size-var is not enumerated".into());
    };
    each_level(asking.regions(), &asking.record.regions, |region, ompt| {
        let size = region.number(icv).map(|(size, _)| size);
        // OMPT returns the number of teams of a league; OMPD may describe the team, which is one
        // thread.
        if ompt.is_league && size == Ok(1) {
            return Verdict::Agreed;
        }
        compare(size, ompt.size, i64::to_string)
    })
}

/// Checks that the thread with this one's number in its team is this one.
fn member(asking: &Asking<'_>) -> Verdict {
    let Some(task) = asking.record.task() else { return Verdict::Nothing };
    let same = || {
        let thread = asking.thread()?;
        thread.parallel()?.thread(task.num as u32)?.is(&thread)
    };
    compare(same(), true, |same| if *same { "it is" } else { "it is another one" }.to_owned())
}

/// Compares the implicit task of the thread's number in each region around it.
fn implicit(asking: &Asking<'_>) -> Verdict {
    let tasks = asking.record.tasks.iter().flatten().filter(|task| task.is_implicit());
    // Only for regions whose tasks are on this thread, or on the one that encountered the region.
    let tasks: Vec<_> = asking
        .record
        .regions
        .iter()
        .zip(tasks)
        .map(|(region, task)| {
            region.as_ref().filter(|region| region.word == task.region).map(|_| task)
        })
        .collect();
    each_level(asking.regions(), &tasks, |region, task| {
        compare_hex(region.task(task.num as u32).and_then(|task| task.data()), task.word)
    })
}
