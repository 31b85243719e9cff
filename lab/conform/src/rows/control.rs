//! Cancellation, flush, the program's commands to the tool, errors, target regions on the host.

use super::Row;
use crate::stream::hold;

/// `omp_control_tool`, also for compilers whose header and link library lack it.
macro_rules! control_tool {
    ($file:expr) => {
        concat!(include_str!("programs/control_tool.h"), include_str!($file))
    };
}

pub const ROWS: &[Row] = &[
    row!(
        ("cancel", "19.5.2.18"),
        "who cancels tells it as activated, who notices as detected",
        &["cancel"],
        |stream| {
            let activated = stream.named("cancel").filter(|event| event.has("flags", "ACTIVATED"));
            let activated: Vec<_> = activated.collect();
            let first = activated.first().ok_or("no cancellation was activated")?;
            hold(first.has("flags", "PARALLEL"), "not of the region", first)?;
            hold(activated.len() == 1, "activated twice", first)?;
            let detected = stream.named("cancel").any(|event| event.has("flags", "DETECTED"));
            if detected { Ok(()) } else { Err("the other thread did not detect it".into()) }
        },
    ),
    row!(
        ("flush", "19.5.2.17"),
        "a flush is told, on its thread",
        &["flush"],
        &["gcc"],
        |stream| {
            let count = stream.named("flush").count();
            if count >= 2 { Ok(()) } else { Err(format!("{count} of two flushes")) }
        },
    ),
    row!(
        control_tool,
        ("control-tool", "19.5.2.29"),
        "omp_control_tool reaches the tool, whose answer the program gets",
        &["control_tool"],
        |stream| {
            let event = stream.exactly(1, "control_tool", &[("command", "3")])?[0];
            hold(event.number("modifier") == 7, "modifier", event)?;
            hold(event.number("code") != 0, "no place", event)
        },
    ),
    row!(
        control_tool,
        ("control-tool-early", "19.5.2.29"),
        "omp_control_tool reaches the tool before the first construct too",
        &["control_tool"],
        |stream| stream.exactly(1, "control_tool", &[("command", "1")]).map(drop),
    ),
    row!(
        ("error", "19.5.2.30"),
        "the error directive is told with its severity and message",
        &["error"],
        |stream| {
            let event = stream.exactly(1, "error", &[("severity", "Warning")])?[0];
            hold(event.number("length") >= 4, "the message is cut", event)
        },
    ),
    row!(
        ("target-host", "19.5.2.26"),
        "a target region that the host executes begins and ends",
        &["target_emi"],
        &["clang"],
        |stream| {
            stream.nested("target")?;
            stream.exactly(1, "target", &[("endpoint", "Begin")]).map(drop)
        },
    ),
    row!(
        ("target-map", "19.5.2.27"),
        "what such a region maps is told inside it",
        &["target_map_emi"],
        &["clang"],
        |stream| {
            let map = stream.exactly(1, "target_map", &[])?[0];
            let target = |endpoint| stream.exactly(1, "target", &[("endpoint", endpoint)]);
            let (begin, end) = (stream.at(target("Begin")?[0]), stream.at(target("End")?[0]));
            let at = stream.at(map);
            hold(begin < at && at < end, "outside of the construct", map)
        },
    ),
    row!(
        ("error-fatal", "19.5.2.30"),
        "a fatal error is told before the program ends",
        &["error"],
        |stream| stream.exactly(1, "error", &[("severity", "Fatal")]).map(drop),
    ),
    row!(
        ("tool-stopped", "3.8.2"),
        "omp_pause_stop_tool ends the tool: it is told so, and hears nothing afterwards",
        &["parallel_begin"],
        |stream| {
            let heard = stream.exactly(1, "parallel_begin", &[])?[0];
            hold(stream.ended, "the tool was not told of its end", heard)
        },
    ),
    row!(
        ("target-memory", "19.5.2.25"),
        "memory of a device, here the host, is told where it is had and given back",
        &["target_data_op_emi"],
        |stream| {
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
    ),
];
