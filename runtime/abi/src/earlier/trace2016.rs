//! Device tracing in OMPT of June 2016: the records, and the results of the device's functions.
//! Both variants (identifiers by value, and by reference) have the same.
#![allow(non_camel_case_types, non_upper_case_globals, missing_docs)]

use super::ompt2016::{ompt_event_t, ompt_target_data_op_t};
use core::ffi::{c_int, c_void};

/// The type of a record in a buffer.
pub type ompt_record_type_t = c_int;
pub const ompt_record_ompt: ompt_record_type_t = 1;
pub const ompt_record_native: ompt_record_type_t = 2;
pub const ompt_record_invalid: ompt_record_type_t = 3;

/// Stands for a time that is not known.
pub const ompt_time_none: u64 = !0;

/// The results of `ompt_target_set_trace_ompt` and `_native`.
pub const SET_ERROR: c_int = 0;
pub const SET_IMPOSSIBLE: c_int = 1;
pub const SET_NEVER: c_int = 2;
pub const SET_SOMETIMES: c_int = 3;
pub const SET_ALWAYS: c_int = 4;

/// An operation on a device's memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_target_data_t {
    pub host_op_id: u64,
    pub optype: ompt_target_data_op_t,
    pub host_addr: *mut c_void,
    pub device_addr: *mut c_void,
    pub bytes: usize,
    pub end_time: u64,
}

/// The maps of a construct. The text names this type and does not define it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_target_data_map_t {
    pub nitems: u32,
    pub host_addr: *mut *mut c_void,
    pub device_addr: *mut *mut c_void,
    pub bytes: *mut usize,
    pub mapping_flags: *mut u32,
}

/// A region.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_target_kernel_t {
    pub host_op_id: u64,
    pub granted_num_teams: u32,
    pub end_time: u64,
}

/// The members of a record that Omphalos' devices write. The others are left out: `data` is the
/// largest of all, so the union has the size that the text gives it.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ompt_record_body_t {
    pub data: ompt_record_target_data_t,
    pub data_map: ompt_record_target_data_map_t,
    pub kernel: ompt_record_target_kernel_t,
}

/// A record.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_ompt_t {
    pub r#type: ompt_event_t,
    pub time: u64,
    pub thread_id: u64,
    pub target_id: u64,
    pub record: ompt_record_body_t,
}

const _: () = {
    use core::mem::{offset_of, size_of};
    assert!(size_of::<ompt_record_ompt_t>() == 80);
    assert!(offset_of!(ompt_record_ompt_t, record) == 32);
};
