//! Barriers, taskwait, taskgroup.

use super::Row;
use crate::stream::{Stream, hold};
use std::collections::HashSet;

/// Checks that two threads each begin and end one of these kinds, with the waiting inside it.
fn both(stream: &Stream, kinds: &[&str]) -> Result<(), String> {
    stream.nested("sync_region")?;
    stream.nested("sync_region_wait")?;
    let begins: Vec<_> = stream
        .named("sync_region")
        .filter(|event| event.is("endpoint", "Begin") && kinds.contains(&event.get("kind")))
        .collect();
    if begins.len() != 2 {
        return Err(format!("{} of {kinds:?} begin, not 2", begins.len()));
    }
    hold(begins[0].get("on") != begins[1].get("on"), "twice on one thread", begins[0])
}

/// Checks that two initial tasks of a league each pass its barrier before they end. Returns the
/// place of the last arrival.
fn teams(stream: &Stream) -> Result<usize, String> {
    stream.nested("sync_region")?;
    stream.nested("sync_region_wait")?;
    let league = stream.named("parallel_begin").find(|event| event.has("flags", "LEAGUE"));
    let league = league.ok_or("no region is flagged as a league")?;
    let mut last = 0;
    let fields = [("region", league.get("region")), ("endpoint", "Begin")];
    for task in stream.exactly(2, "implicit_task", &fields)? {
        let of = |endpoint| {
            [("kind", "TeamsBarrier"), ("endpoint", endpoint), ("task", task.get("task"))]
        };
        let begin = stream.exactly(1, "sync_region", &of("Begin"))?[0];
        let end = stream.exactly(1, "sync_region", &of("End"))?[0];
        hold(begin.is("region", league.get("region")), "of another region", begin)?;
        hold(begin.is("on", task.get("on")), "on another thread", begin)?;
        let fields = [("task", task.get("task")), ("endpoint", "End")];
        let over = stream.exactly(1, "implicit_task", &fields)?[0];
        hold(stream.at(end) < stream.at(over), "the task ends inside its barrier", over)?;
        last = last.max(stream.at(begin));
    }
    Ok(last)
}

pub const ROWS: &[Row] = &[
    row!(
        ("barrier-explicit", "19.5.2.13"),
        "begins and ends on each thread, with its place",
        &["sync_region", "sync_region_wait"],
        |stream| {
            both(stream, &["ExplicitBarrier", "Barrier"])?;
            let found =
                stream.with("sync_region", &[("kind", "ExplicitBarrier"), ("endpoint", "Begin")]);
            found.iter().try_for_each(|event| hold(event.number("code") != 0, "no place", event))
        },
    ),
    row!(
        ("barrier-parallel", "19.5.2.13"),
        "the barrier that ends a region begins and ends on each thread",
        &["sync_region", "sync_region_wait"],
        |stream| both(stream, &["ParallelBarrier", "ImplicitBarrier"]),
    ),
    row!(
        ("barrier-teams", "15.3.2"),
        "each initial task of a league ends with the league's barrier, told with its region \
            and task",
        &["sync_region", "implicit_task"],
        |stream| teams(stream).map(drop),
    ),
    row!(
        ("barrier-teams-wait", "15.3.2"),
        "an initial task that waits there for others waits until the last one arrives",
        &["sync_region", "sync_region_wait", "implicit_task"],
        |stream| {
            let last = teams(stream)?;
            let kind = ("kind", "TeamsBarrier");
            let ends = stream.with("sync_region_wait", &[kind, ("endpoint", "End")]);
            let begins = stream.with("sync_region_wait", &[kind, ("endpoint", "Begin")]);
            let on: HashSet<&str> = stream
                .with("sync_region", &[kind, ("endpoint", "Begin")])
                .iter()
                .map(|begin| begin.get("on"))
                .collect();
            if on.len() == 1 {
                // One thread executed both teams: nothing could wait.
                return Ok(());
            }
            let begin = begins.first().ok_or("nobody waits for 20 ms")?;
            hold(begins.len() == ends.len(), "a wait without an end", begin)?;
            ends.iter().try_for_each(|end| hold(stream.at(end) > last, "waits no longer", end))
        },
    ),
    row!(
        ("barrier-workshare", "19.5.2.13"),
        "the barrier that ends a loop begins and ends on each thread, nowait has none",
        &["sync_region"],
        |stream| {
            stream.nested("sync_region")?;
            let of =
                |kind| stream.with("sync_region", &[("kind", kind), ("endpoint", "Begin")]).len();
            match (of("WorkshareBarrier"), of("ImplicitBarrier") + of("ParallelBarrier")) {
                (2, 2) | (0, 4) => Ok(()),
                (loops, other) => Err(format!("{loops} barriers of loops, {other} of the region")),
            }
        },
    ),
    row!(
        ("barrier-wait", "19.5.2.13"),
        "who comes early waits, and the waiting lies inside the barrier",
        &["sync_region", "sync_region_wait"],
        |stream| {
            let fields = [("kind", "ExplicitBarrier"), ("endpoint", "Begin")];
            let waits = stream.with("sync_region_wait", &fields);
            let wait = waits.first().ok_or("nobody waits for 20 ms")?;
            let region = stream.with("sync_region", &fields);
            let outer = region.iter().find(|event| event.is("on", wait.get("on")));
            let outer = outer.ok_or("waits outside of any barrier")?;
            hold(stream.at(outer) < stream.at(wait), "waits before the barrier", wait)
        },
    ),
    row!(
        ("taskwait", "19.5.2.13"),
        "begins and ends on the task's thread, with its place",
        &["sync_region"],
        |stream| {
            stream.nested("sync_region")?;
            let fields = [("kind", "Taskwait"), ("endpoint", "Begin")];
            let found = stream.exactly(1, "sync_region", &fields)?;
            hold(found[0].number("code") != 0, "no place", found[0])
        },
    ),
    row!(
        ("taskgroup", "19.5.2.13"),
        "begins, and ends after its task completed",
        &["sync_region", "task_schedule"],
        |stream| {
            stream.nested("sync_region")?;
            let of = |endpoint| {
                stream.exactly(1, "sync_region", &[("kind", "Taskgroup"), ("endpoint", endpoint)])
            };
            of("Begin")?;
            let end = of("End")?[0];
            let done = stream.with("task_schedule", &[("status", "Complete")]);
            let done = done.first().ok_or("the task never completed")?;
            hold(stream.at(done) < stream.at(end), "ends before its task", end)
        },
    ),
    row!(
        ("wait-for-others", "19.5.2.13"),
        "a wait is told once for what another thread had to complete, be it long over",
        &["sync_region", "sync_region_wait"],
        |stream| {
            stream.nested("sync_region")?;
            stream.nested("sync_region_wait")?;
            stream.exactly(2, "sync_region", &[("kind", "Taskwait"), ("endpoint", "Begin")])?;
            for kind in ["Taskgroup", "Taskwait"] {
                stream.exactly(1, "sync_region_wait", &[("kind", kind), ("endpoint", "Begin")])?;
            }
            Ok(())
        },
    ),
    row!(
        ("taskwait-at-once", "19.5.2.13"),
        "who has no tasks to wait for does not wait",
        &["sync_region", "sync_region_wait"],
        |stream| {
            let waits = stream.with("sync_region_wait", &[("kind", "Taskwait")]);
            waits.first().map_or(Ok(()), |wait| hold(false, "waits for nothing", wait))
        },
    ),
];
