//! Compares ICVs with the routines that return them and the environment that set them.

use omphalos_ompd_client::{Icv, Value};

use super::{Asking, Question, Verdict, compare};
use crate::debug::settings;

/// A question about an ICV that a routine returns, or that has a fixed value.
macro_rules! icv {
    ($name:literal, $routine:literal) => {
        Question {
            name: $name,
            by: "ompd_get_icv_from_scope",
            ask: |asking| match asking.record.numbers.get($routine) {
                Some(value) => number(asking, $name, *value),
                None => Verdict::Nothing,
            },
        }
    };
    ($name:literal = $value:expr) => {
        Question {
            name: $name,
            by: "ompd_get_icv_from_scope",
            ask: |asking| number(asking, $name, $value),
        }
    };
}

pub const ALL: &[Question] = &[
    icv!("levels-var", "get_level"),
    icv!("active-levels-var", "get_active_level"),
    icv!("team-size-var", "get_num_threads"),
    icv!("thread-num-var", "get_thread_num"),
    Question { name: "nthreads-var", by: "ompd_get_icv_from_scope", ask: threads },
    icv!("dyn-var", "get_dynamic"),
    icv!("thread-limit-var", "get_thread_limit"),
    icv!("max-active-levels-var", "get_max_active_levels"),
    icv!("bind-var", "get_proc_bind"),
    icv!("default-device-var", "get_default_device"),
    icv!("explicit-task-var", "in_explicit_task"),
    icv!("def-allocator-var", "get_default_allocator"),
    icv!("run-sched-var", "schedule"),
    Question { name: "run-sched-var's chunk", by: "ompd_get_icv_string_from_scope", ask: chunk },
    icv!("league-size-var", "get_num_teams"),
    icv!("team-num-var", "get_team_num"),
    icv!("nteams-var", "get_max_teams"),
    icv!("teams-thread-limit-var", "get_teams_thread_limit"),
    icv!("num-procs-var", "get_num_procs"),
    icv!("num-devices-var", "get_num_devices"),
    icv!("device-num-var", "get_device_num"),
    icv!("place-partition-var", "get_partition_num_places"),
    icv!("cancel-var", "get_cancellation"),
    icv!("max-task-priority-var", "get_max_task_priority"),
    icv!("stacksize-var" = settings::STACK_SIZE),
    icv!("debug-var" = 1),
    icv!("tool-var" = 1),
    icv!("wait-policy-var" = 0),
    icv!("display-affinity-var" = 0),
    Question { name: "affinity-format-var", by: "ompd_get_icv_string_from_scope", ask: format },
    Question { name: "tool-libraries-var", by: "ompd_get_icv_string_from_scope", ask: libraries },
];

/// Asks for the ICV by the handle of its scope: `$ask` is `number` or `text`.
macro_rules! asked {
    ($asking:expr, $name:expr, $ask:ident) => {
        scope($asking, $name).map(|icv| match icv.scope {
            1 | 2 => $asking.process.$ask(icv),
            _ => $asking.thread().and_then(|thread| match icv.scope {
                3 => thread.$ask(icv),
                5 | 6 => thread.task()?.$ask(icv),
                _ => thread.parallel()?.$ask(icv),
            }),
        })
    };
}

fn scope(asking: &Asking<'_>, name: &str) -> Result<Icv, Verdict> {
    // A runtime that is still starting has not read all of its environment.
    if !asking.record.has_routines {
        return Err(Verdict::Nothing);
    }
    let Some(icv) = asking.process.icv(name) else {
        return Err(Verdict::CannotTell("the ICV is not enumerated".into()));
    };
    // A thread that executes no task has no ICVs.
    if icv.scope > 2 && asking.record.tasks.is_empty() {
        return Err(Verdict::Nothing);
    }
    Ok(icv)
}

fn number(asking: &Asking<'_>, name: &str, ompt: i64) -> Verdict {
    match asked!(asking, name, number) {
        // The first item of a list counts.
        Ok(found) => compare(found.map(|(value, _)| value), ompt, i64::to_string),
        Err(verdict) => verdict,
    }
}

/// Compares nthreads-var. The routine returns the number of threads that a region could get: not
/// more than the thread limit, which does not change the ICV.
fn threads(asking: &Asking<'_>) -> Verdict {
    let routine = |name| asking.record.numbers.get(name).copied();
    let Some(most) = routine("get_max_threads") else { return Verdict::Nothing };
    let limited = |value: i64| match routine("get_thread_limit") {
        Some(limit) if most == limit => value.min(limit),
        _ => value,
    };
    match asked!(asking, "nthreads-var", number) {
        Ok(found) => compare(found.map(|(value, _)| limited(value)), most, i64::to_string),
        Err(verdict) => verdict,
    }
}

fn text(asking: &Asking<'_>, name: &str) -> Result<Value<String>, Verdict> {
    asked!(asking, name, text)
}

/// Compares the chunk of run-sched-var: the number after the comma.
fn chunk(asking: &Asking<'_>) -> Verdict {
    let Some(ompt) = asking.record.numbers.get("chunk") else { return Verdict::Nothing };
    // No chunk was set: runtimes return 0 or 1 for that.
    let of = |text: String| {
        let behind = text.split_once(',').map_or("", |(_, behind)| behind).trim();
        behind.parse().unwrap_or(0)
    };
    match text(asking, "run-sched-var") {
        Ok(found) => compare(found.map(of), *ompt, i64::to_string),
        Err(verdict) => verdict,
    }
}

fn format(asking: &Asking<'_>) -> Verdict {
    let Some(ompt) = asking.record.texts.get("affinity_format") else { return Verdict::Nothing };
    match text(asking, "affinity-format-var") {
        Ok(found) => compare(found, ompt.clone(), |text| format!("{text:?}")),
        Err(verdict) => verdict,
    }
}

fn libraries(asking: &Asking<'_>) -> Verdict {
    match text(asking, "tool-libraries-var") {
        Ok(found) => compare(found, asking.tool.to_owned(), |text| format!("{text:?}")),
        Err(verdict) => verdict,
    }
}
