//! Cancellation, flush, the program's words to the tool, errors, target regions on the host.

use super::Row;
use crate::stream::hold;

/// `omp_control_tool`, for compilers too whose header and link library are older than it.
macro_rules! control_tool {
    ($file:literal) => {
        concat!(include_str!("programs/control_tool.h"), include_str!($file))
    };
}

pub const ROWS: &[Row] = &[
    Row {
        name: "cancel",
        section: "19.5.2.18",
        says: "who cancels tells it as activated, who notices as detected",
        events: &["cancel"],
        inlined: &[],
        program: include_str!("programs/cancel.c"),
        status: 0,
        check: |stream| {
            let activated = stream.named("cancel").filter(|event| event.has("flags", "ACTIVATED"));
            let activated: Vec<_> = activated.collect();
            let first = activated.first().ok_or("no cancellation was activated")?;
            hold(first.has("flags", "PARALLEL"), "not of the region", first)?;
            hold(activated.len() == 1, "activated twice", first)?;
            let detected = stream.named("cancel").any(|event| event.has("flags", "DETECTED"));
            if detected { Ok(()) } else { Err("the other thread did not detect it".into()) }
        },
    },
    Row {
        name: "flush",
        section: "19.5.2.17",
        says: "a flush is told, on its thread",
        events: &["flush"],
        inlined: &["gcc"],
        program: include_str!("programs/flush.c"),
        status: 0,
        check: |stream| {
            let count = stream.named("flush").count();
            if count >= 2 { Ok(()) } else { Err(format!("{count} of two flushes")) }
        },
    },
    Row {
        name: "control-tool",
        section: "19.5.2.29",
        says: "omp_control_tool reaches the tool, whose answer the program gets",
        events: &["control_tool"],
        inlined: &[],
        program: control_tool!("programs/control-tool.c"),
        status: 0,
        check: |stream| {
            let event = stream.exactly(1, "control_tool", &[("command", "3")])?[0];
            hold(event.number("modifier") == 7, "modifier", event)?;
            hold(event.number("code") != 0, "no place", event)
        },
    },
    Row {
        name: "control-tool-early",
        section: "19.5.2.29",
        says: "omp_control_tool reaches the tool before the first construct too",
        events: &["control_tool"],
        inlined: &[],
        program: control_tool!("programs/control-tool-early.c"),
        status: 0,
        check: |stream| stream.exactly(1, "control_tool", &[("command", "1")]).map(drop),
    },
    Row {
        name: "error",
        section: "19.5.2.30",
        says: "the error directive is told with its severity and message",
        events: &["error"],
        inlined: &[],
        program: include_str!("programs/error.c"),
        status: 0,
        check: |stream| {
            let event = stream.exactly(1, "error", &[("severity", "Warning")])?[0];
            hold(event.number("length") >= 4, "the message is cut", event)
        },
    },
    Row {
        name: "target-host",
        section: "19.5.2.26",
        says: "a target region that the host executes begins and ends",
        events: &["target_emi"],
        inlined: &["clang"],
        program: include_str!("programs/target-host.c"),
        status: 0,
        check: |stream| {
            stream.nested("target")?;
            stream.exactly(1, "target", &[("endpoint", "Begin")]).map(drop)
        },
    },
    Row {
        name: "target-map",
        section: "19.5.2.27",
        says: "what such a region maps is told inside it",
        events: &["target_map_emi"],
        inlined: &["clang"],
        program: include_str!("programs/target-map.c"),
        status: 0,
        check: |stream| {
            let map = stream.exactly(1, "target_map", &[])?[0];
            let target = |endpoint| stream.exactly(1, "target", &[("endpoint", endpoint)]);
            let (begin, end) = (stream.at(target("Begin")?[0]), stream.at(target("End")?[0]));
            let at = stream.at(map);
            hold(begin < at && at < end, "outside of the construct", map)
        },
    },
    Row {
        name: "error-fatal",
        section: "19.5.2.30",
        says: "a fatal error is told before the program ends",
        events: &["error"],
        inlined: &[],
        program: include_str!("programs/error-fatal.c"),
        status: 0,
        check: |stream| stream.exactly(1, "error", &[("severity", "Fatal")]).map(drop),
    },
    Row {
        name: "tool-stopped",
        section: "3.8.2",
        says: "omp_pause_stop_tool ends the tool: it is told so, and hears nothing afterwards",
        events: &["parallel_begin"],
        inlined: &[],
        program: include_str!("programs/tool-stopped.c"),
        status: 0,
        check: |stream| {
            let heard = stream.exactly(1, "parallel_begin", &[])?[0];
            hold(stream.ended, "the tool was not told of its end", heard)
        },
    },
    Row {
        name: "target-memory",
        section: "19.5.2.25",
        says: "memory of a device, here the host, is told where it is had and given back",
        events: &["target_data_op_emi"],
        inlined: &[],
        program: include_str!("programs/target-memory.c"),
        status: 0,
        check: |stream| {
            stream.nested("target_data_op")?;
            stream.exactly(
                1,
                "target_data_op",
                &[("kind", "Alloc"), ("endpoint", "End"), ("bytes", "64")],
            )?;
            stream
                .exactly(1, "target_data_op", &[("kind", "Delete"), ("endpoint", "Begin")])
                .map(drop)
        },
    },
];
