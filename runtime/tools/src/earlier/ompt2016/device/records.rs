//! Writes and reads records as the text of 2016 lays them out. A cursor is a record's distance from
//! the buffer's begin; the lists of a map record stand after it.

use super::super::targets::{KNOWN_FLAGS, sides, told_as};
use crate::trace::{DataOp, Form, Lists, Record, What, is_inside};
use core::ffi::c_void;
use core::mem::size_of;
use omphalos_abi::earlier::ompt2016::*;
use omphalos_abi::earlier::trace2016::*;

/// The layout of records.
pub static FORM: Form = Form { least: PLAIN, size, write };

const PLAIN: usize = size_of::<ompt_record_ompt_t>();

fn size(record: &Record) -> usize {
    record.bytes_with(PLAIN)
}

/// # Safety
/// As [`Form::write`].
unsafe fn write(record: &Record, to: *mut u8) {
    let body = match &record.what {
        What::DataOp(DataOp { operation, op, source, destination, bytes, end, .. }) => {
            let (host, device) = sides(*op, *source as u64, *destination as u64);
            ompt_record_body_t {
                data: ompt_record_target_data_t {
                    host_op_id: *operation,
                    optype: told_as(*op).map_or(0, |(kind, _)| kind),
                    host_addr: host as *mut c_void,
                    device_addr: device as *mut c_void,
                    bytes: *bytes,
                    end_time: *end,
                },
            }
        }
        What::Submit { operation, granted, end, .. } => ompt_record_body_t {
            kernel: ompt_record_target_kernel_t {
                host_op_id: *operation,
                granted_num_teams: *granted,
                end_time: *end,
            },
        },
        // SAFETY: the caller's promise.
        What::Map { items, .. } => unsafe {
            let Lists { host, device, bytes, flags } = Lists::write(items, to.add(PLAIN));
            for at in 0..items.len() {
                *flags.add(at) &= KNOWN_FLAGS;
            }
            let (nitems, host_addr, device_addr) = (items.len() as u32, host, device);
            ompt_record_body_t {
                data_map: ompt_record_target_data_map_t {
                    nitems,
                    host_addr,
                    device_addr,
                    bytes,
                    mapping_flags: flags,
                },
            }
        },
        // The text of 2016 has no record of these.
        What::Target { .. } | What::Region(_) => return,
    };
    let all = ompt_record_ompt_t {
        r#type: record.number as ompt_event_t,
        time: record.time,
        thread_id: record.thread,
        target_id: record.target,
        record: body,
    };
    // SAFETY: the caller's promise.
    unsafe { to.cast::<ompt_record_ompt_t>().write(all) };
}

/// Returns the record at a cursor; null if there is none.
fn at(buffer: *mut c_void, cursor: u64) -> *mut ompt_record_ompt_t {
    let record = buffer.wrapping_byte_add(cursor as usize).cast::<ompt_record_ompt_t>();
    if buffer.is_null() || !record.is_aligned() { core::ptr::null_mut() } else { record }
}

pub unsafe extern "C" fn advance(
    buffer: *mut c_void,
    bytes: usize,
    current: u64,
    next: *mut u64,
) -> bool {
    // SAFETY: a buffer and a cursor that the tool was given.
    let Some(record) = (unsafe { at(buffer, current).as_ref() }) else { return false };
    if !is_inside(current, PLAIN, bytes) {
        return false;
    }
    let is_map = record.r#type == ompt_event_target_data_map;
    // SAFETY: the type says which member the record has.
    let items = if is_map { unsafe { record.record.data_map.nitems } } else { 0 };
    let behind = current + Lists::behind(PLAIN, items as usize) as u64;
    if !is_inside(behind, PLAIN, bytes) {
        return false;
    }
    // SAFETY: the tool's output pointer.
    if let Some(next) = unsafe { next.as_mut() } {
        *next = behind;
    }
    true
}

pub unsafe extern "C" fn kind(buffer: *mut c_void, current: u64) -> ompt_record_type_t {
    if at(buffer, current).is_null() { ompt_record_invalid } else { ompt_record_ompt }
}

pub unsafe extern "C" fn record(buffer: *mut c_void, current: u64) -> *mut ompt_record_ompt_t {
    at(buffer, current)
}

/// There are no native records.
pub unsafe extern "C" fn native(
    _buffer: *mut c_void,
    _current: u64,
    host_op_id: *mut u64,
) -> *mut c_void {
    // SAFETY: the tool's output pointer, which may be null.
    if let Some(id) = unsafe { host_op_id.as_mut() } {
        *id = 0;
    }
    core::ptr::null_mut()
}

/// There are no abstract records, which would be made from native ones.
pub unsafe extern "C" fn abstracted(_record: *mut c_void) -> *mut c_void {
    core::ptr::null_mut()
}
