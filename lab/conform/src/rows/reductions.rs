//! Reductions.

use super::Row;
use crate::stream::{Event, Stream, hold};

/// Returns the begins of reductions, at least one. Begins and ends must nest.
fn some(stream: &Stream) -> Result<Vec<&Event>, String> {
    stream.nested("reduction")?;
    let found = stream.with("reduction", &[("endpoint", "Begin")]);
    if found.is_empty() { Err("no reduction event".into()) } else { Ok(found) }
}

pub const ROWS: &[Row] = &[
    row!(
        ("reduction", "19.5.2.13"),
        "the threads that combine begin and end",
        &["reduction"],
        &["gcc"],
        |stream| some(stream).map(drop),
    ),
    row!(
        ("reduction-one", "19.5.2.13"),
        "also of one variable, which may be combined by an atomic operation",
        &["reduction"],
        &["gcc"],
        |stream| {
            let found = some(stream)?;
            found.iter().try_for_each(|begin| hold(begin.number("code") != 0, "no place", begin))
        },
    ),
    row!(
        ("reduction-task", "19.5.2.13"),
        "the parts of a taskgroup's tasks are combined after its end, by its thread",
        &["reduction", "sync_region"],
        |stream| {
            let fields = [("kind", "Taskgroup"), ("endpoint", "End")];
            let end = stream.exactly(1, "sync_region", &fields)?[0];
            let begin = some(stream)?[0];
            hold(stream.at(begin) > stream.at(end), "before the taskgroup's end", begin)?;
            hold(begin.is("on", end.get("on")), "on another thread", begin)
        },
    ),
    row!(
        ("reduction-loop-task", "19.5.2.13"),
        "the parts of a loop's tasks are combined",
        &["reduction"],
        |stream| {
            let found = some(stream)?;
            found.iter().try_for_each(|begin| hold(begin.number("code") != 0, "no place", begin))
        },
    ),
    row!(
        ("reduction-scope-task", "19.5.2.13"),
        "the parts of a scope's tasks are combined",
        &["reduction"],
        |stream| some(stream).map(drop),
    ),
];
