//! Rows of tables: constructs and what belongs to them.

use serde_json::{Value, json};

use crate::model::{Caller, CallerFrame, ConstructRow, Copies, HotLine, LineTime, TargetRow};
use crate::symbols::Construct;
use crate::visible::visible;

pub(super) fn construct(construct: &Construct) -> Value {
    json!({
        "label": &*construct.label,
        "file": construct.file.as_deref().map(visible),
        "line": construct.line,
        "function": &*construct.function,
    })
}

/// A call path above a region, outermost first.
pub(super) fn caller(caller: &Caller) -> Value {
    let line = |at: &LineTime| {
        let (file, line, time) = (visible(&at.file), at.line, at.time);
        json!({ "file": file, "line": line, "time_ns": time })
    };
    let frame = |frame: &CallerFrame| {
        let lines: Vec<Value> = frame.lines.iter().map(line).collect();
        json!({ "name": &*frame.name, "lines": lines })
    };
    let frames: Vec<Value> = caller.frames.iter().map(frame).collect();
    json!({ "frames": frames, "frames_left_out": caller.left_out, "time_ns": caller.time })
}

/// A construct inside a region.
pub(super) fn inner(row: &ConstructRow) -> Value {
    json!({
        "name": row.name,
        "construct": construct(&row.construct),
        "instances": (row.is_seen || row.instances > 0).then_some(row.instances),
        "time_ns": row.time,
        "chunks": row.chunks,
        "chunks_estimated": row.chunks_estimated,
        "iterations": row.iterations,
        "handing_out_ns": row.handing_out,
        "wait_ns": row.wait,
        "seen": row.is_seen,
    })
}

/// A target construct.
pub(super) fn target(row: &TargetRow) -> Value {
    let copies = |copies: Copies| {
        let Copies { count, bytes, time } = copies;
        json!({ "count": count, "bytes": bytes, "time_ns": time })
    };
    json!({
        "name": row.name,
        "construct": construct(&row.construct),
        "device": row.device,
        "nowait": row.nowait,
        "executions": row.executions,
        "elapsed_ns": row.elapsed,
        "kernels": row.kernels,
        "kernel_ns": row.kernel_time,
        "to_device": copies(row.to_device),
        "from_device": copies(row.from_device),
        "within": copies(row.within),
        "blocks": copies(row.blocks),
        "host_wait_ns": row.host_wait,
        "overlap_ns": row.overlap,
    })
}

/// Calls in which threads were blocked.
pub(super) fn calls(calls: &[(std::rc::Rc<str>, u64, u64)]) -> Vec<Value> {
    let each = calls.iter().map(|(name, count, time)| (&**name, count, time));
    each.map(|(call, count, time)| json!({ "call": call, "count": count, "blocked_ns": time }))
        .collect()
}

pub(super) fn hot_line(line: &HotLine) -> Value {
    json!({
        "function": &*line.function,
        "file": line.file.as_deref().map(visible),
        "line": line.line,
        "time_ns": line.time,
    })
}
