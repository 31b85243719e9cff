//! What a tool may ask: programs with a tool of their own, which records the answers itself.

use super::Row;
use crate::stream::{Stream, hold};

/// The tool, which tells `name value=number`; a program defines `started`, which initialises it,
/// and says by its value whether the tool stays.
macro_rules! with_tool {
    ($file:literal) => {
        concat!(include_str!("programs/with_tool.h"), include_str!($file))
    };
}

/// The one number told under `name`.
fn told(stream: &Stream, name: &str) -> Result<i64, String> {
    let event = stream.exactly(1, name, &[])?[0];
    event.get("value").parse().map_err(|_| format!("no number: {event}"))
}

/// These names were told these numbers.
fn all(stream: &Stream, wanted: &[(&str, i64)]) -> Result<(), String> {
    wanted.iter().try_for_each(|(name, value)| match told(stream, name)? {
        found if found == *value => Ok(()),
        found => Err(format!("{name}: {found}, not {value}")),
    })
}

pub const ROWS: &[Row] = &[
    Row {
        name: "entry-points",
        section: "19.6.1",
        says: "all entry points of the host are found, those of devices and other names are not",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/entry-points.c"),
        status: 0,
        check: |stream| all(stream, &[("host", 19), ("other", 0)]),
    },
    Row {
        name: "registration",
        section: "19.6.1.3",
        says: "what is registered is found again until it is removed; unknown numbers are an error",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/registration.c"),
        status: 0,
        check: |stream| {
            all(stream, &[("unknown", 0), ("begun", 5), ("there", 1), ("removed", 5), ("gone", 0)])
        },
    },
    Row {
        name: "tool-declines",
        section: "19.2.3",
        says: "a tool whose initializer returns 0 hears nothing more",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/tool-declines.c"),
        status: 0,
        check: |stream| match (stream.ended, stream.events.first()) {
            (false, None) => Ok(()),
            (_, Some(event)) => hold(false, "was told", event),
            (true, None) => Err("was finalized".into()),
        },
    },
    Row {
        name: "tool-finalizes",
        section: "19.6.1.19",
        says: "ompt_finalize_tool ends the tool at once and for ever",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/tool-finalizes.c"),
        status: 0,
        check: |stream| {
            all(stream, &[("region", 1), ("after", 1)])?;
            if stream.ended { Ok(()) } else { Err("the tool was not told of its end".into()) }
        },
    },
    Row {
        name: "processors-early",
        section: "19.6.1.6",
        says: "processors and places are known before the first region, an array is not overrun",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/processors-early.c"),
        status: 0,
        check: |stream| {
            all(stream, &[("procs", 1), ("places", 1), ("ids", 1), ("beyond", -7)])?;
            if told(stream, "partition")? > 0 { Ok(()) } else { Err("an empty partition".into()) }
        },
    },
    Row {
        name: "levels",
        section: "19.6.1.13",
        says: "regions and tasks around a thread, each level with its team's size and its flags",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/levels.c"),
        status: 0,
        check: |stream| {
            all(
                stream,
                &[("inner", 2), ("inner-size", 2), ("outer", 2), ("outer-size", 1), ("none", 0)],
            )?;
            all(stream, &[("implicit", 2), ("implicit-flag", 2), ("number", 1), ("initial", 2)])?;
            all(stream, &[("initial-flag", 1), ("no-task", 0), ("nulls", 2)])
        },
    },
    Row {
        name: "states-enumerated",
        section: "19.6.1.1",
        says: "the states are told one after the other, from the undefined one on, by their names",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/states-enumerated.c"),
        status: 0,
        check: |stream| all(stream, &[("ends", 1), ("seen", 4)]),
    },
    Row {
        name: "unique-ids",
        section: "19.6.1.18",
        says: "no id is given twice, on no thread",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/unique-ids.c"),
        status: 0,
        check: |stream| all(stream, &[("equal", 0)]),
    },
    Row {
        name: "task-memory",
        section: "19.6.1.15",
        says: "an explicit task's own data has a place and a size",
        events: &[],
        inlined: &[],
        program: with_tool!("programs/task-memory.c"),
        status: 0,
        check: |stream| all(stream, &[("block", 1)]),
    },
    Row {
        name: "target-information",
        section: "19.6.1.16",
        says: "a thread in a target region is told so, also on the host, and not outside",
        events: &[],
        inlined: &["clang"],
        program: with_tool!("programs/target-information.c"),
        status: 0,
        check: |stream| all(stream, &[("before", 0), ("inside", 1), ("after", 0)]),
    },
];
