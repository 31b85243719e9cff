//! Threads, parallel regions, implicit tasks, and inquiries inside them.

use super::Row;
use crate::stream::{Event, Stream, hold};
use std::collections::{HashMap, HashSet};

type Check = Result<(), String>;

pub const ROWS: &[Row] = &[
    row!(
        ("thread-initial", "19.5.2.1"),
        "the initial thread begins before anything else, as an initial thread, and ends",
        &["thread_begin", "thread_end"],
        |stream| {
            let first = stream.events.first().ok_or("no event at all")?;
            hold(
                first.name == "thread_begin" && first.is("kind", "Initial"),
                "first \
                event",
                first,
            )?;
            stream.exactly(1, "thread_end", &[("thread", first.get("thread"))])?;
            if stream.ended { Ok(()) } else { Err("the tool was not told of the end".into()) }
        },
    ),
    row!(
        ("thread-workers", "19.5.2.1"),
        "each worker begins as one, on itself, before its events, and ends after them",
        &["thread_begin", "thread_end"],
        workers,
    ),
    row!(
        ("thread-foreign", "19.5.2.1"),
        "a thread that the program made is an initial (or other) thread, with a task of its \
            own",
        &["thread_begin", "implicit_task"],
        |stream| {
            let roots = stream
                .named("thread_begin")
                .filter(|event| event.is("kind", "Initial") || event.is("kind", "Other"));
            let count = roots.count();
            if count == 2 { Ok(()) } else { Err(format!("{count} such threads, not 2")) }
        },
    ),
    row!(
        ("parallel-pair", "19.5.2.3"),
        "begin and end on the encountering thread, one word, place of the construct, threads \
            asked for",
        &["parallel_begin", "parallel_end"],
        |stream| {
            let begins = stream.exactly(3, "parallel_begin", &[("requested", "3")])?;
            let places: HashSet<&str> = begins.iter().map(|begin| begin.get("code")).collect();
            hold(places.len() == 1, "one construct, several places", begins[0])?;
            for begin in begins {
                hold(begin.number("code") != 0, "no place", begin)?;
                hold(begin.has("flags", "TEAM"), "not flagged as a team", begin)?;
                let ends = stream.exactly(1, "parallel_end", &[("region", begin.get("region"))])?;
                hold(ends[0].is("on", begin.get("on")), "ends on another thread", ends[0])?;
                hold(ends[0].is("task", begin.get("task")), "ends in another task", ends[0])?;
                hold(ends[0].number("code") == begin.number("code"), "ends elsewhere", ends[0])?;
            }
            Ok(())
        },
    ),
    row!(
        ("parallel-serialized", "19.5.2.3"),
        "if(0) makes a region with a team of one",
        &["parallel_begin", "parallel_end", "implicit_task"],
        |stream| {
            let begin = stream.exactly(1, "parallel_begin", &[])?[0];
            stream.exactly(1, "parallel_end", &[("region", begin.get("region"))])?;
            let fields = [("region", begin.get("region")), ("endpoint", "Begin"), ("team", "1")];
            stream.exactly(1, "implicit_task", &fields).map(drop)
        },
    ),
    row!(
        ("parallel-nested", "19.5.2.3"),
        "inner regions are encountered by the outer region's implicit tasks",
        &["parallel_begin", "implicit_task"],
        |stream| {
            let begins: Vec<&Event> = stream.named("parallel_begin").collect();
            let [outer, inner @ ..] = &begins[..] else { return Err("no region".into()) };
            hold(inner.len() == 2, "not two inner regions", outer)?;
            for region in inner {
                let fields = [
                    ("task", region.get("task")),
                    ("endpoint", "Begin"),
                    ("region", outer.get("region")),
                ];
                stream.exactly(1, "implicit_task", &fields)?;
            }
            Ok(())
        },
    ),
    row!(
        ("implicit-tasks", "19.5.2.11"),
        "one for each thread of the team, numbers 0 to n-1, begun and ended on its thread",
        &["implicit_task"],
        implicit_tasks,
    ),
    row!(
        ("initial-task", "19.5.2.11"),
        "the initial task begins with its thread, flagged initial, in no region of a \
            parallel construct",
        &["implicit_task"],
        |stream| {
            let first = stream.named("implicit_task").next().ok_or("no implicit task")?;
            hold(first.has("flags", "INITIAL") && first.is("endpoint", "Begin"), "first", first)?;
            hold(first.is("team", "1"), "not a team of one", first)?;
            let region = stream.named("parallel_begin").next().ok_or("no region")?;
            hold(region.is("task", first.get("task")), "not in the initial task", region)
        },
    ),
    row!(
        ("frames", "19.4.4.28"),
        "user code's tasks have an exit frame, entering tasks an enter frame",
        &["parallel_begin", "implicit_task"],
        |stream| {
            let begins: Vec<&Event> = stream.named("parallel_begin").collect();
            let [outer, inner @ ..] = &begins[..] else { return Err("no region".into()) };
            hold(outer.number("enter") != 0, "no enter frame", outer)?;
            hold(outer.number("exit") == 0, "the initial task has an exit frame", outer)?;
            inner.iter().try_for_each(|begin| {
                hold(begin.number("enter") != 0, "no enter frame", begin)?;
                hold(begin.number("exit") != 0, "no exit frame", begin)
            })
        },
    ),
    row!(
        ("states", "19.6.1.12"),
        "regions begin in serial work and end in work or overhead, barriers are waited in",
        &["parallel_begin", "sync_region_wait"],
        |stream| {
            let begin = stream.named("parallel_begin").next().ok_or("no region")?;
            let early = ["WorkSerial", "Overhead"].contains(&begin.get("state"));
            hold(early, "state at the region's begin", begin)?;
            let waits = stream
                .with("sync_region_wait", &[("kind", "ExplicitBarrier"), ("endpoint", "Begin")]);
            let wait = waits.first().ok_or("nobody waits in a barrier of 20 ms")?;
            hold(wait.get("state").starts_with("WaitBarrier"), "state in a barrier", wait)
        },
    ),
    row!(
        ("teams", "19.5.2.3"),
        "a league is a parallel region of its flag, its initial tasks are numbered teams",
        &["parallel_begin", "implicit_task"],
        |stream| {
            let league = stream.named("parallel_begin").find(|event| event.has("flags", "LEAGUE"));
            let league = league.ok_or("no region is flagged as a league")?;
            let fields = [("region", league.get("region")), ("endpoint", "Begin"), ("team", "2")];
            let tasks = stream.exactly(2, "implicit_task", &fields)?;
            tasks.iter().try_for_each(|task| {
                hold(task.has("flags", "INITIAL"), "a team's task is not an initial one", task)
            })?;
            stream.exactly(1, "parallel_end", &[("region", league.get("region"))]).map(drop)
        },
    ),
];

fn workers(stream: &Stream) -> Check {
    let begun: HashSet<&str> = stream.named("thread_begin").map(|event| event.get("on")).collect();
    let workers = stream.exactly(3, "thread_begin", &[("kind", "Worker")])?;
    for worker in workers {
        hold(worker.is("on", worker.get("thread")), "begins on another thread", worker)?;
        let end = stream.exactly(1, "thread_end", &[("thread", worker.get("thread"))])?[0];
        hold(end.is("on", worker.get("on")), "ends on another thread", end)?;
        let (from, to) = (stream.at(worker), stream.at(end));
        let outside = stream
            .events
            .iter()
            .enumerate()
            .find(|(at, event)| event.is("on", worker.get("on")) && !(from..=to).contains(at));
        if let Some((_, event)) = outside {
            return Err(format!("before its thread's begin or after its end: {event}"));
        }
    }
    match stream.events.iter().find(|event| !begun.contains(event.get("on"))) {
        Some(event) => Err(format!("on a thread that never began: {event}")),
        None => Ok(()),
    }
}

fn implicit_tasks(stream: &Stream) -> Check {
    let region = stream.named("parallel_begin").next().ok_or("no region")?;
    let fields = [("region", region.get("region")), ("endpoint", "Begin"), ("team", "4")];
    let begins = stream.exactly(4, "implicit_task", &fields)?;
    let numbers: HashMap<&str, &str> =
        begins.iter().map(|begin| (begin.get("index"), begin.get("on"))).collect();
    for number in ["0", "1", "2", "3"] {
        hold(numbers.contains_key(number), "a number is missing", begins[0])?;
    }
    hold(numbers["0"] == region.get("on"), "the primary is not number 0", region)?;
    for begin in begins {
        hold(begin.has("flags", "IMPLICIT"), "flags", begin)?;
        let fields = [("task", begin.get("task")), ("endpoint", "End")];
        let end = stream.exactly(1, "implicit_task", &fields)?[0];
        hold(end.is("on", begin.get("on")), "ends on another thread", end)?;
        hold(end.is("index", begin.get("index")), "ends as another number", end)?;
    }
    Ok(())
}
