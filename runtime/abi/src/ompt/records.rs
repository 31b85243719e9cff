//! The records in the buffers of a device's trace (OpenMP 6.0 `omp-tools.h`). A record's ids are
//! those of the host: 0 is none.

use super::*;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// Record of [`ompt_callback_thread_begin`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_thread_begin_t {
    pub thread_type: ompt_thread_t,
}

/// Record of [`ompt_callback_parallel_begin`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_parallel_begin_t {
    pub encountering_task_id: ompt_id_t,
    pub parallel_id: ompt_id_t,
    pub requested_parallelism: c_uint,
    pub flags: c_int,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_parallel_end`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_parallel_end_t {
    pub parallel_id: ompt_id_t,
    pub encountering_task_id: ompt_id_t,
    pub flags: c_int,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_work`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_work_t {
    pub work_type: ompt_work_t,
    pub endpoint: ompt_scope_endpoint_t,
    pub parallel_id: ompt_id_t,
    pub task_id: ompt_id_t,
    pub count: u64,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_dispatch`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_dispatch_t {
    pub parallel_id: ompt_id_t,
    pub task_id: ompt_id_t,
    pub kind: ompt_dispatch_t,
    pub instance: ompt_data_t,
}

/// Record of [`ompt_callback_task_create`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_task_create_t {
    pub encountering_task_id: ompt_id_t,
    pub new_task_id: ompt_id_t,
    pub flags: c_int,
    pub has_dependences: c_int,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_dependences`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_dependences_t {
    pub task_id: ompt_id_t,
    pub dep: ompt_dependence_t,
    pub ndeps: c_int,
}

/// Record of [`ompt_callback_task_dependence`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_task_dependence_t {
    pub src_task_id: ompt_id_t,
    pub sink_task_id: ompt_id_t,
}

/// Record of [`ompt_callback_task_schedule`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_task_schedule_t {
    pub prior_task_id: ompt_id_t,
    pub prior_task_status: ompt_task_status_t,
    pub next_task_id: ompt_id_t,
}

/// Record of [`ompt_callback_implicit_task`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_implicit_task_t {
    pub endpoint: ompt_scope_endpoint_t,
    pub parallel_id: ompt_id_t,
    pub task_id: ompt_id_t,
    pub actual_parallelism: c_uint,
    pub index: c_uint,
    pub flags: c_int,
}

/// Record of [`ompt_callback_masked`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_masked_t {
    pub endpoint: ompt_scope_endpoint_t,
    pub parallel_id: ompt_id_t,
    pub task_id: ompt_id_t,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_sync_region`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_sync_region_t {
    pub kind: ompt_sync_region_t,
    pub endpoint: ompt_scope_endpoint_t,
    pub parallel_id: ompt_id_t,
    pub task_id: ompt_id_t,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_mutex_acquire`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_mutex_acquire_t {
    pub kind: ompt_mutex_t,
    pub hint: c_uint,
    pub r#impl: c_uint,
    pub wait_id: ompt_wait_id_t,
    pub codeptr_ra: *const c_void,
}

/// Record of the callbacks of this signature.
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_mutex_t {
    pub kind: ompt_mutex_t,
    pub wait_id: ompt_wait_id_t,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_nest_lock`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_nest_lock_t {
    pub endpoint: ompt_scope_endpoint_t,
    pub wait_id: ompt_wait_id_t,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_flush`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_flush_t {
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_cancel`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_cancel_t {
    pub task_id: ompt_id_t,
    pub flags: c_int,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_target_data_op_emi`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_target_data_op_emi_t {
    pub host_op_id: ompt_id_t,
    pub optype: ompt_target_data_op_t,
    pub src_addr: *mut c_void,
    pub src_device_num: c_int,
    pub dest_addr: *mut c_void,
    pub dest_device_num: c_int,
    pub bytes: usize,
    pub end_time: ompt_device_time_t,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_target_emi`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_target_emi_t {
    pub kind: ompt_target_t,
    pub endpoint: ompt_scope_endpoint_t,
    pub device_num: c_int,
    pub task_id: ompt_id_t,
    pub target_id: ompt_id_t,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_target_map_emi`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_target_map_emi_t {
    pub target_id: ompt_id_t,
    pub nitems: c_uint,
    pub host_addr: *mut *mut c_void,
    pub device_addr: *mut *mut c_void,
    pub bytes: *mut usize,
    pub mapping_flags: *mut c_uint,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_target_submit_emi`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_target_submit_emi_t {
    pub host_op_id: ompt_id_t,
    pub requested_num_teams: c_uint,
    pub granted_num_teams: c_uint,
    pub end_time: ompt_device_time_t,
}

/// Record of [`ompt_callback_control_tool`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_control_tool_t {
    pub command: u64,
    pub modifier: u64,
    pub codeptr_ra: *const c_void,
}

/// Record of [`ompt_callback_error`].
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_error_t {
    pub severity: ompt_severity_t,
    pub message: *const c_char,
    pub length: usize,
    pub codeptr_ra: *const c_void,
}

/// The body of a record; which member, the `type` of [`ompt_record_ompt_t`] says.
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub union ompt_any_record_ompt_t {
    pub thread_begin: ompt_record_thread_begin_t,
    pub parallel_begin: ompt_record_parallel_begin_t,
    pub parallel_end: ompt_record_parallel_end_t,
    pub work: ompt_record_work_t,
    pub dispatch: ompt_record_dispatch_t,
    pub task_create: ompt_record_task_create_t,
    pub dependences: ompt_record_dependences_t,
    pub task_dependence: ompt_record_task_dependence_t,
    pub task_schedule: ompt_record_task_schedule_t,
    pub implicit_task: ompt_record_implicit_task_t,
    pub masked: ompt_record_masked_t,
    pub sync_region: ompt_record_sync_region_t,
    pub mutex_acquire: ompt_record_mutex_acquire_t,
    pub mutex: ompt_record_mutex_t,
    pub nest_lock: ompt_record_nest_lock_t,
    pub flush: ompt_record_flush_t,
    pub cancel: ompt_record_cancel_t,
    pub target_data_op_emi: ompt_record_target_data_op_emi_t,
    pub target_emi: ompt_record_target_emi_t,
    pub target_map_emi: ompt_record_target_map_emi_t,
    pub target_submit_emi: ompt_record_target_submit_emi_t,
    pub control_tool: ompt_record_control_tool_t,
    pub error: ompt_record_error_t,
}

/// An OMPT trace record.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_ompt_t {
    /// Which event was recorded.
    pub r#type: ompt_callbacks_t,
    /// When, in the device's time.
    pub time: ompt_device_time_t,
    /// The thread that had the event.
    pub thread_id: ompt_id_t,
    /// The device construct that it belongs to.
    pub target_id: ompt_id_t,
    /// What was recorded.
    pub record: ompt_any_record_ompt_t,
}

const _: () = {
    use core::mem::{offset_of, size_of};
    assert!(size_of::<ompt_record_ompt_t>() == 104);
    assert!(offset_of!(ompt_record_ompt_t, record) == 32);
    assert!(size_of::<ompt_any_record_ompt_t>() == 72);
};
