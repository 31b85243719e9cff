//! Explicit tasks.

use super::Row;
use crate::stream::{Event, Stream, hold};

/// Returns the only explicit task that was created.
fn only(stream: &Stream) -> Result<&Event, String> {
    let mut tasks = explicit(stream);
    match (tasks.next(), tasks.next()) {
        (Some(task), None) => Ok(task),
        (None, _) => Err("no task was created".into()),
        (_, Some(other)) => Err(format!("a second task: {other}")),
    }
}

fn explicit(stream: &Stream) -> impl Iterator<Item = &Event> {
    let of_program =
        |event: &&Event| event.has("flags", "EXPLICIT") && !event.has("flags", "TASKWAIT");
    stream.named("task_create").filter(of_program)
}

/// Checks that the task was begun after its creation, and left once, as `status` says.
fn life(stream: &Stream, task: &Event, status: &str) -> Result<(), String> {
    let name = task.get("task");
    let begun = stream.with("task_schedule", &[("next", name)]);
    let begin = begun.first().ok_or(format!("never begun: {task}"))?;
    hold(stream.at(begin) > stream.at(task), "begun before it was created", begin)?;
    let ended = stream.exactly(1, "task_schedule", &[("prior", name), ("status", status)])?;
    hold(stream.at(ended[0]) > stream.at(begin), "ended before it was begun", ended[0])?;
    hold(ended[0].is("on", begun[begun.len() - 1].get("on")), "ended elsewhere", ended[0])
}

const IN_SINGLE: &str = "a task in a single region";

pub const ROWS: &[Row] = &[
    row!(
        ("task", "19.5.2.7"),
        "created with its place and its parent's frame, begun, completed once",
        &["task_create", "task_schedule"],
        |stream| {
            let task = only(stream)?;
            hold(task.number("code") != 0, "no place", task)?;
            hold(task.number("enter") != 0, "the parent has no enter frame", task)?;
            hold(task.is("dependences", "false"), IN_SINGLE, task)?;
            life(stream, task, "Complete")
        },
    ),
    row!(
        ("task-many", "19.5.2.10"),
        "of a hundred tasks each is created, begun and completed once",
        &["task_create", "task_schedule"],
        |stream| {
            let tasks: Vec<&Event> = explicit(stream).collect();
            if tasks.len() != 100 {
                return Err(format!("{} tasks, not 100", tasks.len()));
            }
            tasks.iter().try_for_each(|task| life(stream, task, "Complete"))
        },
    ),
    row!(
        ("task-undeferred", "19.5.2.7"),
        "if(0): flagged undeferred, executed by its creator at once",
        &["task_create", "task_schedule"],
        |stream| {
            let task = only(stream)?;
            hold(task.has("flags", "UNDEFERRED"), "flags", task)?;
            let begin = stream.exactly(1, "task_schedule", &[("next", task.get("task"))])?[0];
            hold(begin.is("on", task.get("on")), "executed by another thread", begin)?;
            life(stream, task, "Complete")
        },
    ),
    row!(
        ("task-final", "19.5.2.7"),
        "final: flagged final, and its child too",
        &["task_create"],
        |stream| {
            let outer = explicit(stream).next().ok_or("no task was created")?;
            hold(outer.has("flags", "FINAL"), "flags", outer)?;
            explicit(stream)
                .skip(1)
                .try_for_each(|inner| hold(inner.has("flags", "FINAL"), "an included task", inner))
        },
    ),
    row!(("task-untied", "19.5.2.7"), "untied: flagged so", &["task_create"], |stream| hold(
        only(stream)?.has("flags", "UNTIED"),
        "flags",
        only(stream)?
    ),),
    row!(
        ("task-dependences", "19.5.2.8"),
        "each dependence with its address and type",
        &["task_create", "dependences"],
        |stream| {
            let tasks: Vec<&Event> = explicit(stream).collect();
            let [first, second] = &tasks[..] else { return Err("not two tasks".into()) };
            hold(first.is("dependences", "true"), "not flagged to have dependences", first)?;
            let of = |task: &Event| {
                let found = stream.exactly(1, "dependences", &[("task", task.get("task"))])?;
                let kinds: Vec<(String, u64)> = found[0]
                    .fields
                    .iter()
                    .filter(|(name, _)| !["on", "state", "task"].contains(&name.as_str()))
                    .map(|(name, _)| (name.clone(), found[0].number(name)))
                    .collect();
                Ok::<_, String>(kinds)
            };
            let (one, two) = (of(first)?, of(second)?);
            // GCC passes the outs first: the order of the source is lost before the runtime.
            let one_is = |kind: &str| one == [(kind.to_owned(), one[0].1)];
            hold(one.len() == 1 && (one_is("Out") || one_is("Inout")), "the first's", first)?;
            let good = two.len() == 2
                && two.contains(&("In".to_owned(), one[0].1))
                && two
                    .iter()
                    .any(|(kind, at)| ["Out", "Inout"].contains(&&**kind) && *at != one[0].1);
            hold(good, "the second's", second)
        },
    ),
    row!(
        ("task-dependence-pair", "19.5.2.9"),
        "a task that must wait for another one is paired with it",
        &["task_dependence"],
        |stream| {
            let tasks: Vec<&Event> = explicit(stream).collect();
            let [first, second] = &tasks[..] else { return Err("not two tasks".into()) };
            let fields = [("source", first.get("task")), ("sink", second.get("task"))];
            stream.exactly(1, "task_dependence", &fields).map(drop)
        },
    ),
    row!(
        ("task-detach-late", "19.5.2.10"),
        "a task that detached is left as detached, its event's fulfilment told as late",
        &["task_schedule"],
        |stream| {
            let task = explicit(stream).next().ok_or("no task was created")?;
            let late = [("prior", task.get("task")), ("status", "LateFulfill")];
            let early = [("prior", task.get("task")), ("status", "EarlyFulfill")];
            let told = stream.with("task_schedule", &late).len()
                + stream.with("task_schedule", &early).len();
            hold(told == 1, "the fulfilment was not told once", task)
        },
    ),
    row!(
        ("taskloop", "19.5.2.5"),
        "the construct is work, its tasks are created inside it",
        &["work", "task_create"],
        |stream| {
            let begin =
                stream.exactly(1, "work", &[("kind", "Taskloop"), ("endpoint", "Begin")])?[0];
            stream.exactly(1, "work", &[("kind", "Taskloop"), ("endpoint", "End")])?;
            hold(begin.number("count") == 8, "count", begin)?;
            let tasks = explicit(stream).count();
            hold(tasks >= 4, "fewer than four tasks", begin)
        },
    ),
    row!(
        ("taskyield", "19.5.2.10"),
        "a task that yields to another is left as yielded",
        &["task_schedule"],
        |stream| {
            // The runtime need not switch; where it does, both tasks must still complete.
            explicit(stream).try_for_each(|task| life(stream, task, "Complete"))
        },
    ),
    row!(
        ("taskwait-depend", "19.5.2.7"),
        "a taskwait with dependences is a task of that flag, completed as a taskwait",
        &["task_create", "task_schedule"],
        |stream| {
            let found = stream.named("task_create").find(|event| event.has("flags", "TASKWAIT"));
            let wait = found.ok_or("no task of that flag was created")?;
            let fields = [("prior", wait.get("task")), ("status", "TaskwaitComplete")];
            stream.exactly(1, "task_schedule", &fields).map(drop)
        },
    ),
    row!(
        ("task-mergeable", "19.5.2.7"),
        "mergeable: flagged so",
        &["task_create"],
        &["clang"],
        |stream| hold(only(stream)?.has("flags", "MERGEABLE"), "flags", only(stream)?),
    ),
    row!(
        ("task-discarded", "19.5.2.18"),
        "tasks of a cancelled taskgroup that did not begin are discarded, each ends once",
        &["task_create", "task_schedule", "cancel"],
        |stream| {
            let cancelled = |flag: &str| {
                let of =
                    |event: &&Event| event.has("flags", flag) && event.has("flags", "TASKGROUP");
                stream.named("cancel").filter(of).count()
            };
            for task in explicit(stream) {
                let ends = ["Complete", "Cancel"].map(|status| {
                    let fields = [("prior", task.get("task")), ("status", status)];
                    stream.with("task_schedule", &fields).len()
                });
                hold(ends[0] + ends[1] == 1, "did not end once", task)?;
            }
            match cancelled("ACTIVATED") {
                1 => Ok(()),
                count => Err(format!("{count} cancellations were activated, not 1")),
            }
        },
    ),
    row!(
        ("doacross", "19.5.2.8"),
        "an ordered loop's source and sinks are dependences of the task in it, with its \
            iteration",
        &["dependences"],
        |stream| {
            let of = |kind: &str| -> Vec<u64> {
                let all = stream.named("dependences").flat_map(|event| &event.fields);
                all.filter(|(name, _)| name == kind)
                    .map(|(_, at)| {
                        u64::from_str_radix(at.trim_start_matches("0x"), 16).unwrap_or(99)
                    })
                    .collect()
            };
            let (mut sources, mut sinks) = (of("Source"), of("Sink"));
            sources.sort_unstable();
            sinks.sort_unstable();
            // An iteration before the first one is no dependence, but may have an event.
            let told = sinks.ends_with(&[0, 1, 2]) || sinks.starts_with(&[0, 1, 2]);
            if sources == [0, 1, 2, 3] && told {
                Ok(())
            } else {
                Err(format!("sources {sources:?}, sinks {sinks:?}"))
            }
        },
    ),
];
