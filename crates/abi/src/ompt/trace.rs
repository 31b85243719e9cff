//! Device tracing: the entry points that a device's lookup gives, and the records in its buffers
//! (OpenMP 6.0 `omp-tools.h`). A record's ids are those of the host: 0 is none.

use super::*;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// Processors of a device.
pub type ompt_get_device_num_procs_t = unsafe extern "C" fn(device: *mut ompt_device_t) -> c_int;
/// Time on a device.
pub type ompt_get_device_time_t =
    unsafe extern "C" fn(device: *mut ompt_device_t) -> ompt_device_time_t;
/// A device time in seconds of `omp_get_wtime`.
pub type ompt_translate_time_t =
    unsafe extern "C" fn(device: *mut ompt_device_t, time: ompt_device_time_t) -> f64;
/// Which events a device records; `etype` 0 means all.
pub type ompt_set_trace_ompt_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    enable: c_uint,
    etype: c_uint,
) -> ompt_set_result_t;
/// Which native activity a device records (`ompt_native_mon_flag_t`).
pub type ompt_set_trace_native_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    enable: c_int,
    flags: c_int,
) -> ompt_set_result_t;
/// What buffers a device likes, since 6.0.
pub type ompt_get_buffer_limits_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    max_concurrent_allocs: *mut c_int,
    recommended_bytes: *mut usize,
);
/// Starts recording; 1 on success.
pub type ompt_start_trace_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    request: ompt_callback_buffer_request_t,
    complete: ompt_callback_buffer_complete_t,
) -> c_int;
/// Pauses or resumes; 1 on success.
pub type ompt_pause_trace_t =
    unsafe extern "C" fn(device: *mut ompt_device_t, begin_pause: c_int) -> c_int;
/// Delivers what is recorded; 1 on success.
pub type ompt_flush_trace_t = unsafe extern "C" fn(device: *mut ompt_device_t) -> c_int;
/// Ends recording; 1 on success.
pub type ompt_stop_trace_t = unsafe extern "C" fn(device: *mut ompt_device_t) -> c_int;
/// The next record; 0 at the end.
pub type ompt_advance_buffer_cursor_t = unsafe extern "C" fn(
    device: *mut ompt_device_t,
    buffer: *mut ompt_buffer_t,
    size: usize,
    current: ompt_buffer_cursor_t,
    next: *mut ompt_buffer_cursor_t,
) -> c_int;
/// What the record is.
pub type ompt_get_record_type_t = unsafe extern "C" fn(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> ompt_record_t;
/// The native record at a cursor.
pub type ompt_get_record_native_t = unsafe extern "C" fn(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
    host_op_id: *mut ompt_id_t,
) -> *mut c_void;
/// What the runtime knows of a native record.
pub type ompt_get_record_abstract_t =
    unsafe extern "C" fn(native_record: *mut c_void) -> *mut ompt_record_abstract_t;
/// The OMPT record at a cursor.
pub type ompt_get_record_ompt_t = unsafe extern "C" fn(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> *mut ompt_record_ompt_t;

/// A native record, as far as the runtime can read it.
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_record_abstract_t {
    pub rclass: ompt_record_native_t,
    pub r#type: *const c_char,
    pub start_time: ompt_device_time_t,
    pub end_time: ompt_device_time_t,
    pub hwid: ompt_hwid_t,
}

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
