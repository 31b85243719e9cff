//! Writes records as OpenMP 5.0 to 6.0 lay them out, and finds them in a buffer for tools.
//!
//! A cursor is a record's distance from the buffer's begin. Records stand one after the other. The
//! lists of a map record stand after it, as part of it.

#![allow(non_upper_case_globals)]

use crate::ompt5::target::after;
use crate::trace::{DataOp, Form, Lists, Record, What, is_inside};
use core::ffi::{c_int, c_uint, c_void};
use core::mem::size_of;
use omphalos_abi::ompt::*;
use omphalos_events::Endpoint;

/// The form of records.
pub static FORM: Form = Form { least: PLAIN, size, write };

const PLAIN: usize = size_of::<ompt_record_ompt_t>();

fn size(record: &Record) -> usize {
    record.bytes_with(PLAIN)
}

/// # Safety
/// As [`Form::write`].
unsafe fn write(record: &Record, to: *mut u8) {
    let code = |at: u64| at as *const c_void;
    let body = match &record.what {
        What::Target { kind, endpoint, device, task, codeptr } => {
            let endpoint = match endpoint {
                Endpoint::Begin => ompt_scope_begin,
                Endpoint::End => ompt_scope_end,
                Endpoint::BeginEnd => ompt_scope_beginend,
            };
            ompt_any_record_ompt_t {
                target_emi: ompt_record_target_emi_t {
                    kind: *kind as c_int,
                    endpoint,
                    device_num: *device,
                    task_id: *task,
                    target_id: record.target,
                    codeptr_ra: code(*codeptr),
                },
            }
        }
        What::DataOp(DataOp {
            operation,
            op,
            source,
            destination,
            devices,
            bytes,
            end,
            codeptr,
        }) => ompt_any_record_ompt_t {
            target_data_op_emi: ompt_record_target_data_op_emi_t {
                host_op_id: *operation,
                optype: *op as c_int,
                src_addr: *source as *mut c_void,
                src_device_num: devices.0,
                dest_addr: after(*op, *destination as *const c_void).cast_mut(),
                dest_device_num: devices.1,
                bytes: *bytes,
                end_time: *end,
                codeptr_ra: code(*codeptr),
            },
        },
        What::Submit { operation, requested, granted, end } => ompt_any_record_ompt_t {
            target_submit_emi: ompt_record_target_submit_emi_t {
                host_op_id: *operation,
                requested_num_teams: *requested,
                granted_num_teams: *granted,
                end_time: *end,
            },
        },
        What::Region(body) => super::regions::body_of(body),
        // SAFETY: the caller's promise.
        What::Map { items, codeptr } => unsafe {
            let Lists { host, device, bytes, flags } = Lists::write(items, to.add(PLAIN));
            ompt_any_record_ompt_t {
                target_map_emi: ompt_record_target_map_emi_t {
                    target_id: record.target,
                    nitems: items.len() as c_uint,
                    host_addr: host,
                    device_addr: device,
                    bytes,
                    mapping_flags: flags,
                    codeptr_ra: code(*codeptr),
                },
            }
        },
    };
    let all = ompt_record_ompt_t {
        r#type: record.number as ompt_callbacks_t,
        time: record.time,
        thread_id: record.thread,
        target_id: record.target,
        record: body,
    };
    // SAFETY: the caller's promise; bytes that no member of the body covers are zero.
    unsafe {
        to.write_bytes(0, PLAIN);
        to.cast::<ompt_record_ompt_t>().write(all);
    }
}

/// Returns the record at a cursor; `None` if there is none.
///
/// # Safety
/// The buffer is null, or one that the tool was given back.
unsafe fn at<'a>(
    buffer: *mut ompt_buffer_t,
    cursor: ompt_buffer_cursor_t,
) -> Option<&'a mut ompt_record_ompt_t> {
    let start = buffer.cast::<u8>();
    let record = start.wrapping_add(usize::try_from(cursor).ok()?).cast::<ompt_record_ompt_t>();
    // SAFETY: the caller's promise: a record stands at every cursor that it was given.
    unsafe { if start.is_null() || !record.is_aligned() { None } else { record.as_mut() } }
}

pub unsafe extern "C" fn advance_buffer_cursor(
    _device: *mut ompt_device_t,
    buffer: *mut ompt_buffer_t,
    bytes: usize,
    current: ompt_buffer_cursor_t,
    next: *mut ompt_buffer_cursor_t,
) -> c_int {
    if !is_inside(current, PLAIN, bytes) {
        return 0;
    }
    // SAFETY: a cursor that the tool was given.
    let Some(record) = (unsafe { at(buffer, current) }) else { return 0 };
    let is_map = matches!(record.r#type, ompt_callback_target_map | ompt_callback_target_map_emi);
    // SAFETY: the type says which member the record has.
    let items = if is_map { unsafe { record.record.target_map_emi.nitems } } else { 0 };
    let behind = current + Lists::behind(PLAIN, items as usize) as u64;
    if !is_inside(behind, PLAIN, bytes) {
        return 0;
    }
    // SAFETY: the tool's output pointer.
    if let Some(next) = unsafe { next.as_mut() } {
        *next = behind;
    }
    1
}

pub unsafe extern "C" fn get_record_type(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> ompt_record_t {
    // SAFETY: a buffer and a cursor that the tool was given.
    match unsafe { at(buffer, current) } {
        Some(_) => ompt_record_ompt,
        None => ompt_record_invalid,
    }
}

pub unsafe extern "C" fn get_record_ompt(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> *mut ompt_record_ompt_t {
    // SAFETY: as above.
    unsafe { at(buffer, current) }.map_or(core::ptr::null_mut(), core::ptr::from_mut)
}

/// There are no native records.
pub unsafe extern "C" fn get_record_native(
    _buffer: *mut ompt_buffer_t,
    _current: ompt_buffer_cursor_t,
    host_op_id: *mut ompt_id_t,
) -> *mut c_void {
    // SAFETY: the tool's output pointer, which may be null.
    if let Some(id) = unsafe { host_op_id.as_mut() } {
        *id = ompt_id_none;
    }
    core::ptr::null_mut()
}

/// There are no abstract records, which would be made from native ones.
pub unsafe extern "C" fn get_record_abstract(
    _native_record: *mut c_void,
) -> *mut ompt_record_abstract_t {
    core::ptr::null_mut()
}
