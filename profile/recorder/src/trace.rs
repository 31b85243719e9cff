//! The line for a record of a device's trace.

use crate::line::{Line, Plain};
use omphalos_ompt::*;

/// Returns the line for a record of a device's trace.
pub(crate) fn record_line(device: i32, record: Record<'_>) -> Line {
    let line = |what| {
        Line::new("record")
            .field("device", device)
            .field("what", Plain(what))
            .field("target", record.target)
            .field("time", record.time)
    };
    match record.what {
        Recorded::Target { kind, endpoint, .. } => {
            line("target").field("kind", kind).field("endpoint", endpoint)
        }
        Recorded::DataOp { kind, bytes, end, source_device, destination_device, .. } => {
            line("target_data_op")
                .field("kind", kind)
                .field("from", source_device)
                .field("to", destination_device)
                .field("bytes", bytes)
                .field("end", end)
        }
        Recorded::Submit { end, .. } => line("target_submit").field("end", end),
        Recorded::Map { items, .. } => line("target_map").field("items", items.iter().count()),
        Recorded::Other => line("other"),
    }
}
