//! A record of a device's trace, with safe types.

use crate::event::MapItems;
use crate::kinds::{DataOpKind, Endpoint, TargetKind};
use core::ffi::c_int;
use omphalos_abi::ompt::*;

/// A record; valid while the tool looks at it.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The event's number (`ompt_callbacks_t`).
    pub number: c_int,
    /// The time of its begin, in the device's time.
    pub time: u64,
    /// The thread of the event.
    pub thread: u64,
    /// The number of its construct.
    pub target: u64,
    /// Its body.
    pub what: Recorded<'a>,
}

/// A record's body. Operations have the numbers that the callbacks have.
#[derive(Clone, Copy, Debug)]
pub enum Recorded<'a> {
    /// A construct begins or ends.
    Target {
        /// The kind of construct.
        kind: TargetKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The device's number.
        device: i32,
        /// The encountering task's number.
        task: u64,
        /// The construct's place in the program.
        codeptr: u64,
    },
    /// An operation on memory, from its begin to its end.
    DataOp {
        /// Its number.
        operation: u64,
        /// The kind of operation.
        kind: DataOpKind,
        /// The source address.
        source: u64,
        /// The source device.
        source_device: i32,
        /// The destination address.
        destination: u64,
        /// The destination device.
        destination_device: i32,
        /// The number of bytes.
        bytes: usize,
        /// The time of its end.
        end: u64,
        /// The construct's place in the program.
        codeptr: u64,
    },
    /// A kernel, from its begin to its end.
    Submit {
        /// Its number.
        operation: u64,
        /// The number of teams that were asked for, and below of those that it had.
        requested_teams: u32,
        /// See above.
        granted_teams: u32,
        /// The time of its end.
        end: u64,
    },
    /// The variables that a construct maps.
    Map {
        /// Each of the variables.
        items: MapItems<'a>,
        /// The construct's place in the program.
        codeptr: u64,
    },
    /// The body of another event.
    Other,
}

impl<'a> Record<'a> {
    /// # Safety
    /// The runtime wrote it, and all that it points to.
    pub(super) unsafe fn read(record: &'a ompt_record_ompt_t) -> Record<'a> {
        let body = &record.record;
        // SAFETY: the type says which member it is; the caller's promise.
        let what = unsafe {
            match record.r#type {
                number if number == ompt_callback_target || number == ompt_callback_target_emi => {
                    let its = &body.target_emi;
                    Recorded::Target {
                        kind: TargetKind::from(its.kind),
                        endpoint: Endpoint::from(its.endpoint),
                        device: its.device_num,
                        task: its.task_id,
                        codeptr: its.codeptr_ra as u64,
                    }
                }
                number
                    if number == ompt_callback_target_data_op
                        || number == ompt_callback_target_data_op_emi =>
                {
                    let its = &body.target_data_op_emi;
                    Recorded::DataOp {
                        operation: its.host_op_id,
                        kind: DataOpKind::from(its.optype),
                        source: its.src_addr as u64,
                        source_device: its.src_device_num,
                        destination: its.dest_addr as u64,
                        destination_device: its.dest_device_num,
                        bytes: its.bytes,
                        end: its.end_time,
                        codeptr: its.codeptr_ra as u64,
                    }
                }
                number
                    if number == ompt_callback_target_submit
                        || number == ompt_callback_target_submit_emi =>
                {
                    let its = &body.target_submit_emi;
                    Recorded::Submit {
                        operation: its.host_op_id,
                        requested_teams: its.requested_num_teams,
                        granted_teams: its.granted_num_teams,
                        end: its.end_time,
                    }
                }
                number
                    if number == ompt_callback_target_map
                        || number == ompt_callback_target_map_emi =>
                {
                    let its = &body.target_map_emi;
                    let items = crate::raw::items(
                        its.nitems, its.host_addr, its.device_addr, its.bytes, its.mapping_flags,
                    );
                    Recorded::Map { items, codeptr: its.codeptr_ra as u64 }
                }
                _ => Recorded::Other,
            }
        };
        Record {
            number: record.r#type,
            time: record.time,
            thread: record.thread_id,
            target: record.target_id,
            what,
        }
    }
}
