//! Questions that a tool may ask: programs with a tool of their own, which records the answers
//! itself.

use super::Row;
use crate::stream::{Stream, hold};

/// Puts a tool before the program that prints `name value=number`. The program defines `started`,
/// which initialises the tool and returns whether it stays.
macro_rules! with_tool {
    ($file:expr) => {
        concat!(include_str!("programs/with_tool.h"), include_str!($file))
    };
}

/// Returns the only number printed under `name`.
fn told(stream: &Stream, name: &str) -> Result<i64, String> {
    let event = stream.exactly(1, name, &[])?[0];
    event.get("value").parse().map_err(|_| format!("no number: {event}"))
}

/// Checks that these names have these numbers.
fn all(stream: &Stream, wanted: &[(&str, i64)]) -> Result<(), String> {
    wanted.iter().try_for_each(|(name, value)| match told(stream, name)? {
        found if found == *value => Ok(()),
        found => Err(format!("{name}: {found}, not {value}")),
    })
}

pub const ROWS: &[Row] = &[
    row!(
        with_tool,
        ("entry-points", "19.6.1"),
        "all entry points of the host are found, those of devices and other names are not",
        &[],
        |stream| all(stream, &[("host", 19), ("other", 0)]),
    ),
    row!(
        with_tool,
        ("registration", "19.6.1.3"),
        "what is registered is found again until it is removed; unknown numbers are an error",
        &[],
        |stream| {
            all(stream, &[("unknown", 0), ("begun", 5), ("there", 1), ("removed", 5), ("gone", 0)])
        },
    ),
    row!(
        with_tool,
        ("tool-declines", "19.2.3"),
        "a tool whose initializer returns 0 hears nothing more",
        &[],
        |stream| match (stream.ended, stream.events.first()) {
            (false, None) => Ok(()),
            (_, Some(event)) => hold(false, "was told", event),
            (true, None) => Err("was finalized".into()),
        },
    ),
    row!(
        with_tool,
        ("tool-finalizes", "19.6.1.19"),
        "ompt_finalize_tool ends the tool at once and for ever",
        &[],
        |stream| {
            all(stream, &[("region", 1), ("after", 1)])?;
            if stream.ended { Ok(()) } else { Err("the tool was not told of its end".into()) }
        },
    ),
    row!(
        with_tool,
        ("processors-early", "19.6.1.6"),
        "processors and places are known before the first region, an array is not overrun",
        &[],
        |stream| {
            all(stream, &[("procs", 1), ("places", 1), ("ids", 1), ("beyond", -7)])?;
            if told(stream, "partition")? > 0 { Ok(()) } else { Err("an empty partition".into()) }
        },
    ),
    row!(
        with_tool,
        ("levels", "19.6.1.13"),
        "regions and tasks around a thread, each level with its team's size and its flags",
        &[],
        |stream| {
            all(
                stream,
                &[("inner", 2), ("inner-size", 2), ("outer", 2), ("outer-size", 1), ("none", 0)],
            )?;
            all(stream, &[("implicit", 2), ("implicit-flag", 2), ("number", 1), ("initial", 2)])?;
            all(stream, &[("initial-flag", 1), ("no-task", 0), ("nulls", 2)])
        },
    ),
    row!(
        with_tool,
        ("states-enumerated", "19.6.1.1"),
        "the states are told one after the other, from the undefined one on, by their names",
        &[],
        |stream| all(stream, &[("ends", 1), ("seen", 4)]),
    ),
    row!(
        with_tool,
        ("unique-ids", "19.6.1.18"),
        "no id is given twice, on no thread",
        &[],
        |stream| all(stream, &[("equal", 0)]),
    ),
    row!(
        with_tool,
        ("task-memory", "19.6.1.15"),
        "an explicit task's own data has a place and a size",
        &[],
        |stream| all(stream, &[("block", 1)]),
    ),
    row!(
        with_tool,
        ("target-information", "19.6.1.16"),
        "a thread in a target region is told so, also on the host, and not outside",
        &[],
        &["clang"],
        |stream| all(stream, &[("before", 0), ("inside", 1), ("after", 0)]),
    ),
];
