//! The signatures of OMPT's callbacks, OpenMP 6.0 `omp-tools.h` (the `emi` ones as in 5.1).
//!
//! All are called by the runtime on the thread that has the event. Data pointers may be null where
//! the specification says so (an ended region, no next task), frames are good only inside the call.

use super::*;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// Any callback, as `ompt_set_callback` takes it.
pub type ompt_callback_t = unsafe extern "C" fn();
/// Asks the tool for a trace buffer.
pub type ompt_callback_buffer_request_t =
    unsafe extern "C" fn(device_num: c_int, buffer: *mut *mut ompt_buffer_t, bytes: *mut usize);
/// Gives a trace buffer back to the tool.
pub type ompt_callback_buffer_complete_t = unsafe extern "C" fn(
    device_num: c_int,
    buffer: *mut ompt_buffer_t,
    bytes: usize,
    begin: ompt_buffer_cursor_t,
    buffer_owned: c_int,
);
/// [`ompt_callback_thread_begin`] (1).
pub type ompt_callback_thread_begin_t =
    unsafe extern "C" fn(thread_type: ompt_thread_t, thread_data: *mut ompt_data_t);
/// [`ompt_callback_thread_end`] (2).
pub type ompt_callback_thread_end_t = unsafe extern "C" fn(thread_data: *mut ompt_data_t);
/// [`ompt_callback_parallel_begin`] (3).
pub type ompt_callback_parallel_begin_t = unsafe extern "C" fn(
    encountering_task_data: *mut ompt_data_t,
    encountering_task_frame: *const ompt_frame_t,
    parallel_data: *mut ompt_data_t,
    requested_parallelism: c_uint,
    flags: c_int,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_parallel_end`] (4).
pub type ompt_callback_parallel_end_t = unsafe extern "C" fn(
    parallel_data: *mut ompt_data_t,
    encountering_task_data: *mut ompt_data_t,
    flags: c_int,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_work`] (20).
pub type ompt_callback_work_t = unsafe extern "C" fn(
    work_type: ompt_work_t,
    endpoint: ompt_scope_endpoint_t,
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    count: u64,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_dispatch`] (32).
pub type ompt_callback_dispatch_t = unsafe extern "C" fn(
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    kind: ompt_dispatch_t,
    instance: ompt_data_t,
);
/// [`ompt_callback_task_create`] (5).
pub type ompt_callback_task_create_t = unsafe extern "C" fn(
    encountering_task_data: *mut ompt_data_t,
    encountering_task_frame: *const ompt_frame_t,
    new_task_data: *mut ompt_data_t,
    flags: c_int,
    has_dependences: c_int,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_dependences`] (18).
pub type ompt_callback_dependences_t =
    unsafe extern "C" fn(task_data: *mut ompt_data_t, deps: *const ompt_dependence_t, ndeps: c_int);
/// [`ompt_callback_task_dependence`] (19).
pub type ompt_callback_task_dependence_t =
    unsafe extern "C" fn(src_task_data: *mut ompt_data_t, sink_task_data: *mut ompt_data_t);
/// [`ompt_callback_task_schedule`] (6).
pub type ompt_callback_task_schedule_t = unsafe extern "C" fn(
    prior_task_data: *mut ompt_data_t,
    prior_task_status: ompt_task_status_t,
    next_task_data: *mut ompt_data_t,
);
/// [`ompt_callback_implicit_task`] (7).
pub type ompt_callback_implicit_task_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    actual_parallelism: c_uint,
    index: c_uint,
    flags: c_int,
);
/// [`ompt_callback_masked`] (21).
pub type ompt_callback_masked_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_sync_region_wait`] (16), [`ompt_callback_sync_region`] (23),
/// [`ompt_callback_reduction`] (31).
pub type ompt_callback_sync_region_t = unsafe extern "C" fn(
    kind: ompt_sync_region_t,
    endpoint: ompt_scope_endpoint_t,
    parallel_data: *mut ompt_data_t,
    task_data: *mut ompt_data_t,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_lock_init`] (24), [`ompt_callback_mutex_acquire`] (26).
pub type ompt_callback_mutex_acquire_t = unsafe extern "C" fn(
    kind: ompt_mutex_t,
    hint: c_uint,
    r#impl: c_uint,
    wait_id: ompt_wait_id_t,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_mutex_released`] (17), [`ompt_callback_lock_destroy`] (25),
/// [`ompt_callback_mutex_acquired`] (27).
pub type ompt_callback_mutex_t =
    unsafe extern "C" fn(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void);
/// [`ompt_callback_nest_lock`] (28).
pub type ompt_callback_nest_lock_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    wait_id: ompt_wait_id_t,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_flush`] (29).
pub type ompt_callback_flush_t =
    unsafe extern "C" fn(thread_data: *mut ompt_data_t, codeptr_ra: *const c_void);
/// [`ompt_callback_cancel`] (30).
pub type ompt_callback_cancel_t =
    unsafe extern "C" fn(task_data: *mut ompt_data_t, flags: c_int, codeptr_ra: *const c_void);
/// [`ompt_callback_device_initialize`] (12).
pub type ompt_callback_device_initialize_t = unsafe extern "C" fn(
    device_num: c_int,
    r#type: *const c_char,
    device: *mut ompt_device_t,
    lookup: Option<ompt_function_lookup_t>,
    documentation: *const c_char,
);
/// [`ompt_callback_device_finalize`] (13).
pub type ompt_callback_device_finalize_t = unsafe extern "C" fn(device_num: c_int);
/// [`ompt_callback_device_load`] (14).
pub type ompt_callback_device_load_t = unsafe extern "C" fn(
    device_num: c_int,
    filename: *const c_char,
    offset_in_file: i64,
    vma_in_file: *mut c_void,
    bytes: usize,
    host_addr: *mut c_void,
    device_addr: *mut c_void,
    module_id: u64,
);
/// [`ompt_callback_device_unload`] (15).
pub type ompt_callback_device_unload_t = unsafe extern "C" fn(device_num: c_int, module_id: u64);
/// [`ompt_callback_target_data_op`] (9).
pub type ompt_callback_target_data_op_t = unsafe extern "C" fn(
    target_id: ompt_id_t,
    host_op_id: ompt_id_t,
    optype: ompt_target_data_op_t,
    src_addr: *mut c_void,
    src_device_num: c_int,
    dest_addr: *mut c_void,
    dest_device_num: c_int,
    bytes: usize,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_target`] (8).
pub type ompt_callback_target_t = unsafe extern "C" fn(
    kind: ompt_target_t,
    endpoint: ompt_scope_endpoint_t,
    device_num: c_int,
    task_data: *mut ompt_data_t,
    target_id: ompt_id_t,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_target_map`] (22).
pub type ompt_callback_target_map_t = unsafe extern "C" fn(
    target_id: ompt_id_t,
    nitems: c_uint,
    host_addr: *mut *mut c_void,
    device_addr: *mut *mut c_void,
    bytes: *mut usize,
    mapping_flags: *mut c_uint,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_target_submit`] (10).
pub type ompt_callback_target_submit_t =
    unsafe extern "C" fn(target_id: ompt_id_t, host_op_id: ompt_id_t, requested_num_teams: c_uint);
/// [`ompt_callback_control_tool`] (11).
pub type ompt_callback_control_tool_t = unsafe extern "C" fn(
    command: u64,
    modifier: u64,
    arg: *mut c_void,
    codeptr_ra: *const c_void,
) -> c_int;
/// [`ompt_callback_error`] (37).
pub type ompt_callback_error_t = unsafe extern "C" fn(
    severity: ompt_severity_t,
    message: *const c_char,
    length: usize,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_target_data_op_emi`] (34).
pub type ompt_callback_target_data_op_emi_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    target_task_data: *mut ompt_data_t,
    target_data: *mut ompt_data_t,
    host_op_id: *mut ompt_id_t,
    optype: ompt_target_data_op_t,
    src_addr: *mut c_void,
    src_device_num: c_int,
    dest_addr: *mut c_void,
    dest_device_num: c_int,
    bytes: usize,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_target_emi`] (33).
pub type ompt_callback_target_emi_t = unsafe extern "C" fn(
    kind: ompt_target_t,
    endpoint: ompt_scope_endpoint_t,
    device_num: c_int,
    task_data: *mut ompt_data_t,
    target_task_data: *mut ompt_data_t,
    target_data: *mut ompt_data_t,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_target_map_emi`] (36).
pub type ompt_callback_target_map_emi_t = unsafe extern "C" fn(
    target_data: *mut ompt_data_t,
    nitems: c_uint,
    host_addr: *mut *mut c_void,
    device_addr: *mut *mut c_void,
    bytes: *mut usize,
    mapping_flags: *mut c_uint,
    codeptr_ra: *const c_void,
);
/// [`ompt_callback_target_submit_emi`] (35).
pub type ompt_callback_target_submit_emi_t = unsafe extern "C" fn(
    endpoint: ompt_scope_endpoint_t,
    target_data: *mut ompt_data_t,
    host_op_id: *mut ompt_id_t,
    requested_num_teams: c_uint,
);
