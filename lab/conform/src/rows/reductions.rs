//! Reductions.

use super::Row;
use crate::stream::{Event, Stream, hold};

/// The begins of reductions, one at least; begins and ends nest.
fn some(stream: &Stream) -> Result<Vec<&Event>, String> {
    stream.nested("reduction")?;
    let found = stream.with("reduction", &[("endpoint", "Begin")]);
    if found.is_empty() { Err("no reduction event".into()) } else { Ok(found) }
}

pub const ROWS: &[Row] = &[
    Row {
        name: "reduction",
        section: "19.5.2.13",
        says: "the threads that combine begin and end",
        events: &["reduction"],
        inlined: &["gcc"],
        program: include_str!("programs/reduction.c"),
        status: 0,
        check: |stream| some(stream).map(drop),
    },
    Row {
        name: "reduction-one",
        section: "19.5.2.13",
        says: "also of one variable, which may be combined by an atomic operation",
        events: &["reduction"],
        inlined: &["gcc"],
        program: include_str!("programs/reduction-one.c"),
        status: 0,
        check: |stream| {
            let found = some(stream)?;
            found.iter().try_for_each(|begin| hold(begin.number("code") != 0, "no place", begin))
        },
    },
    Row {
        name: "reduction-task",
        section: "19.5.2.13",
        says: "the parts of a taskgroup's tasks are combined after its end, by its thread",
        events: &["reduction", "sync_region"],
        inlined: &[],
        program: include_str!("programs/reduction-task.c"),
        status: 0,
        check: |stream| {
            let fields = [("kind", "Taskgroup"), ("endpoint", "End")];
            let end = stream.exactly(1, "sync_region", &fields)?[0];
            let begin = some(stream)?[0];
            hold(stream.at(begin) > stream.at(end), "before the taskgroup's end", begin)?;
            hold(begin.is("on", end.get("on")), "on another thread", begin)
        },
    },
    Row {
        name: "reduction-loop-task",
        section: "19.5.2.13",
        says: "the parts of a loop's tasks are combined",
        events: &["reduction"],
        inlined: &[],
        program: include_str!("programs/reduction-loop-task.c"),
        status: 0,
        check: |stream| {
            let found = some(stream)?;
            found.iter().try_for_each(|begin| hold(begin.number("code") != 0, "no place", begin))
        },
    },
    Row {
        name: "reduction-scope-task",
        section: "19.5.2.13",
        says: "the parts of a scope's tasks are combined",
        events: &["reduction"],
        inlined: &[],
        program: include_str!("programs/reduction-scope-task.c"),
        status: 0,
        check: |stream| some(stream).map(drop),
    },
];
