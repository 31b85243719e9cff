//! Devices other than the host: a runtime may play them if `OMPHALOS_DEVICES` asks it to. A runtime
//! without devices answers that it never has such events.

use super::Row;
use crate::stream::{Stream, hold};

pub const ROWS: &[Row] = &[
    row!(
        ("device-begins", "19.5.2.19"),
        "a device begins before the first construct on it, gets its code, and ends",
        &["device_initialize"],
        &["clang"],
        |stream| {
            let begin = stream.exactly(1, "device_initialize", &[("device", "0")])?[0];
            let load = stream.named("device_load").next().ok_or("no code was loaded")?;
            let end = stream.exactly(1, "device_finalize", &[("device", "0")])?[0];
            let target = stream.exactly(1, "target", &[("endpoint", "Begin")])?[0];
            let order = [begin, load, target, end].map(|event| stream.at(event));
            hold(order.is_sorted(), "not in this order: begin, code, construct, end", begin)
        },
    ),
    row!(
        ("device-operations", "19.5.2.25"),
        "what is mapped is allocated, copied both ways and deleted, each from begin to end",
        &["device_initialize", "target_data_op_emi"],
        &["clang"],
        |stream| {
            stream.nested("target_data_op")?;
            for (kind, from, to) in [
                ("Alloc", "1", "0"),
                ("TransferToDevice", "1", "0"),
                ("TransferFromDevice", "0", "1"),
                ("Delete", "0", "1"),
            ] {
                let its = [("kind", kind), ("endpoint", "End"), ("from", from), ("to", to)];
                stream.exactly(1, "target_data_op", &its)?;
            }
            Ok(())
        },
    ),
    row!(
        ("device-trace", "19.6"),
        "the device's trace has a record for each event, with times that nest",
        &["device_initialize", "target_data_op_emi", "target_submit_emi", "target_emi"],
        &["clang"],
        |stream| {
            for event in ["target_data_op", "target_submit"] {
                let told = stream.with(event, &[("endpoint", "End")]).len();
                stream.exactly(told, "record", &[("what", event)])?;
            }
            let [begin, end] = ["Begin", "End"].map(|endpoint| {
                stream.exactly(1, "record", &[("what", "target"), ("endpoint", endpoint)])
            });
            let (begin, end) = (begin?[0].number("time"), end?[0].number("time"));
            within(stream, begin, end)
        },
    ),
];

fn within(stream: &Stream, begin: u64, end: u64) -> Result<(), String> {
    for record in stream.named("record").filter(|record| record.number("end") != 0) {
        let (from, to) = (record.number("time"), record.number("end"));
        let nests = begin <= from && from <= to && to <= end;
        hold(nests, "outside of its construct", record)?;
    }
    Ok(())
}
