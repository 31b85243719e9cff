//! The records in the buffers of a device's trace (OpenMP 6.0 `omp-tools.h`). A record's ids are
//! those of the host: 0 is none.

use super::*;
use core::ffi::{c_char, c_int, c_uint, c_void};

records! {
    /// Record of [`ompt_callback_thread_begin`].
    ompt_record_thread_begin_t { thread_type: ompt_thread_t }
    /// Record of [`ompt_callback_parallel_begin`].
    ompt_record_parallel_begin_t {
        encountering_task_id: ompt_id_t, parallel_id: ompt_id_t, requested_parallelism: c_uint,
        flags: c_int, codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_parallel_end`].
    ompt_record_parallel_end_t {
        parallel_id: ompt_id_t, encountering_task_id: ompt_id_t, flags: c_int,
        codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_work`].
    ompt_record_work_t {
        work_type: ompt_work_t, endpoint: ompt_scope_endpoint_t, parallel_id: ompt_id_t,
        task_id: ompt_id_t, count: u64, codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_dispatch`].
    ompt_record_dispatch_t {
        parallel_id: ompt_id_t, task_id: ompt_id_t, kind: ompt_dispatch_t, instance: ompt_data_t,
    }
    /// Record of [`ompt_callback_task_create`].
    ompt_record_task_create_t {
        encountering_task_id: ompt_id_t, new_task_id: ompt_id_t, flags: c_int,
        has_dependences: c_int, codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_dependences`].
    ompt_record_dependences_t { task_id: ompt_id_t, dep: ompt_dependence_t, ndeps: c_int }
    /// Record of [`ompt_callback_task_dependence`].
    ompt_record_task_dependence_t { src_task_id: ompt_id_t, sink_task_id: ompt_id_t }
    /// Record of [`ompt_callback_task_schedule`].
    ompt_record_task_schedule_t {
        prior_task_id: ompt_id_t, prior_task_status: ompt_task_status_t, next_task_id: ompt_id_t,
    }
    /// Record of [`ompt_callback_implicit_task`].
    ompt_record_implicit_task_t {
        endpoint: ompt_scope_endpoint_t, parallel_id: ompt_id_t, task_id: ompt_id_t,
        actual_parallelism: c_uint, index: c_uint, flags: c_int,
    }
    /// Record of [`ompt_callback_masked`].
    ompt_record_masked_t {
        endpoint: ompt_scope_endpoint_t, parallel_id: ompt_id_t, task_id: ompt_id_t,
        codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_sync_region`].
    ompt_record_sync_region_t {
        kind: ompt_sync_region_t, endpoint: ompt_scope_endpoint_t, parallel_id: ompt_id_t,
        task_id: ompt_id_t, codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_mutex_acquire`].
    ompt_record_mutex_acquire_t {
        kind: ompt_mutex_t, hint: c_uint, r#impl: c_uint, wait_id: ompt_wait_id_t,
        codeptr_ra: *const c_void,
    }
    /// Record of the callbacks of this signature.
    ompt_record_mutex_t { kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void }
    /// Record of [`ompt_callback_nest_lock`].
    ompt_record_nest_lock_t {
        endpoint: ompt_scope_endpoint_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_flush`].
    ompt_record_flush_t { codeptr_ra: *const c_void }
    /// Record of [`ompt_callback_cancel`].
    ompt_record_cancel_t { task_id: ompt_id_t, flags: c_int, codeptr_ra: *const c_void }
    /// Record of [`ompt_callback_target_data_op_emi`].
    ompt_record_target_data_op_emi_t {
        host_op_id: ompt_id_t, optype: ompt_target_data_op_t, src_addr: *mut c_void,
        src_device_num: c_int, dest_addr: *mut c_void, dest_device_num: c_int, bytes: usize,
        end_time: ompt_device_time_t, codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_target_emi`].
    ompt_record_target_emi_t {
        kind: ompt_target_t, endpoint: ompt_scope_endpoint_t, device_num: c_int, task_id: ompt_id_t,
        target_id: ompt_id_t, codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_target_map_emi`].
    ompt_record_target_map_emi_t {
        target_id: ompt_id_t, nitems: c_uint, host_addr: *mut *mut c_void,
        device_addr: *mut *mut c_void, bytes: *mut usize, mapping_flags: *mut c_uint,
        codeptr_ra: *const c_void,
    }
    /// Record of [`ompt_callback_target_submit_emi`].
    ompt_record_target_submit_emi_t {
        host_op_id: ompt_id_t, requested_num_teams: c_uint, granted_num_teams: c_uint,
        end_time: ompt_device_time_t,
    }
    /// Record of [`ompt_callback_control_tool`].
    ompt_record_control_tool_t { command: u64, modifier: u64, codeptr_ra: *const c_void }
    /// Record of [`ompt_callback_error`].
    ompt_record_error_t {
        severity: ompt_severity_t, message: *const c_char, length: usize, codeptr_ra: *const c_void,
    }
}

/// The body of a record. The `type` of [`ompt_record_ompt_t`] says which member it has.
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
    /// The event that was recorded.
    pub r#type: ompt_callbacks_t,
    /// When, in the device's time.
    pub time: ompt_device_time_t,
    /// The thread that had the event.
    pub thread_id: ompt_id_t,
    /// The device construct that it belongs to.
    pub target_id: ompt_id_t,
    /// The event's arguments.
    pub record: ompt_any_record_ompt_t,
}

const _: () = {
    use core::mem::{offset_of, size_of};
    assert!(size_of::<ompt_record_ompt_t>() == 104);
    assert!(offset_of!(ompt_record_ompt_t, record) == 32);
    assert!(size_of::<ompt_any_record_ompt_t>() == 72);
};
