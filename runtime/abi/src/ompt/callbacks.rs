//! The numbers and the signatures of OMPT's callbacks, OpenMP 6.0 `omp-tools.h` (the `emi` ones as
//! in 5.1). `tests/headers.rs` holds them against that header.
//!
//! The runtime calls all of them on the thread that has the event. Data pointers may be null where
//! the specification says so (an ended region, no next task); frames are valid only inside the
//! call.

use super::enums::Enumerator;
use super::*;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// The number of a callback, in the standard an enumeration: a tool names a callback by it when it
/// registers one.
pub type ompt_callbacks_t = c_int;

/// The rows: name, number, signature, and where the specification has it if not in all versions.
macro_rules! numbers {
    ($($name:ident = $value:literal $type:ident $($note:literal)?;)*) => {
        $(
            #[doc = concat!("[`", stringify!($type), "`]" $(, ", ", $note)?, ".")]
            pub const $name: ompt_callbacks_t = $value;
        )*

        /// Every callback's name and number, in the order of the numbers, from 1 without a gap.
        pub const CALLBACKS: &[Enumerator] =
            &[$(("ompt_callbacks_t", stringify!($name), $name),)*];
    };
}

numbers! {
    ompt_callback_thread_begin = 1 ompt_callback_thread_begin_t;
    ompt_callback_thread_end = 2 ompt_callback_thread_end_t;
    ompt_callback_parallel_begin = 3 ompt_callback_parallel_begin_t;
    ompt_callback_parallel_end = 4 ompt_callback_parallel_end_t;
    ompt_callback_task_create = 5 ompt_callback_task_create_t;
    ompt_callback_task_schedule = 6 ompt_callback_task_schedule_t;
    ompt_callback_implicit_task = 7 ompt_callback_implicit_task_t;
    ompt_callback_target = 8 ompt_callback_target_t "deprecated by 6.0";
    ompt_callback_target_data_op = 9 ompt_callback_target_data_op_t "deprecated by 6.0";
    ompt_callback_target_submit = 10 ompt_callback_target_submit_t "deprecated by 6.0";
    ompt_callback_control_tool = 11 ompt_callback_control_tool_t;
    ompt_callback_device_initialize = 12 ompt_callback_device_initialize_t;
    ompt_callback_device_finalize = 13 ompt_callback_device_finalize_t;
    ompt_callback_device_load = 14 ompt_callback_device_load_t;
    ompt_callback_device_unload = 15 ompt_callback_device_unload_t;
    ompt_callback_sync_region_wait = 16 ompt_callback_sync_region_t;
    ompt_callback_mutex_released = 17 ompt_callback_mutex_t;
    ompt_callback_dependences = 18 ompt_callback_dependences_t;
    ompt_callback_task_dependence = 19 ompt_callback_task_dependence_t;
    ompt_callback_work = 20 ompt_callback_work_t;
    ompt_callback_masked = 21 ompt_callback_masked_t;
    ompt_callback_target_map = 22 ompt_callback_target_map_t "deprecated by 6.0";
    ompt_callback_sync_region = 23 ompt_callback_sync_region_t;
    ompt_callback_lock_init = 24 ompt_callback_mutex_acquire_t;
    ompt_callback_lock_destroy = 25 ompt_callback_mutex_t;
    ompt_callback_mutex_acquire = 26 ompt_callback_mutex_acquire_t;
    ompt_callback_mutex_acquired = 27 ompt_callback_mutex_t;
    ompt_callback_nest_lock = 28 ompt_callback_nest_lock_t;
    ompt_callback_flush = 29 ompt_callback_flush_t;
    ompt_callback_cancel = 30 ompt_callback_cancel_t;
    ompt_callback_reduction = 31 ompt_callback_sync_region_t;
    ompt_callback_dispatch = 32 ompt_callback_dispatch_t;
    ompt_callback_target_emi = 33 ompt_callback_target_emi_t "since 5.1";
    ompt_callback_target_data_op_emi = 34 ompt_callback_target_data_op_emi_t "since 5.1";
    ompt_callback_target_submit_emi = 35 ompt_callback_target_submit_emi_t "since 5.1";
    ompt_callback_target_map_emi = 36 ompt_callback_target_map_emi_t "since 5.1";
    ompt_callback_error = 37 ompt_callback_error_t "since 5.1";
}

/// One more than the highest callback number: the size of a table indexed by number.
pub const CALLBACK_LIMIT: usize = CALLBACKS.len() + 1;

const _: () = {
    let mut i = 0;
    while i < CALLBACKS.len() {
        assert!(CALLBACKS[i].2 as usize == i + 1, "the numbers must have no gap");
        i += 1;
    }
    assert!(CALLBACKS.len() == 37);
};

signatures! {
    /// Any callback, as `ompt_set_callback` takes it.
    ompt_callback_t();
    /// Asks the tool for a trace buffer.
    ompt_callback_buffer_request_t(
        device_num: c_int, buffer: *mut *mut ompt_buffer_t, bytes: *mut usize
    );
    /// Gives a trace buffer back to the tool.
    ompt_callback_buffer_complete_t(
        device_num: c_int, buffer: *mut ompt_buffer_t, bytes: usize, begin: ompt_buffer_cursor_t,
        buffer_owned: c_int
    );
    /// [`ompt_callback_thread_begin`].
    ompt_callback_thread_begin_t(thread_type: ompt_thread_t, thread_data: *mut ompt_data_t);
    /// [`ompt_callback_thread_end`].
    ompt_callback_thread_end_t(thread_data: *mut ompt_data_t);
    /// [`ompt_callback_parallel_begin`].
    ompt_callback_parallel_begin_t(
        encountering_task_data: *mut ompt_data_t, encountering_task_frame: *const ompt_frame_t,
        parallel_data: *mut ompt_data_t, requested_parallelism: c_uint, flags: c_int,
        codeptr_ra: *const c_void
    );
    /// [`ompt_callback_parallel_end`].
    ompt_callback_parallel_end_t(
        parallel_data: *mut ompt_data_t, encountering_task_data: *mut ompt_data_t, flags: c_int,
        codeptr_ra: *const c_void
    );
    /// [`ompt_callback_work`].
    ompt_callback_work_t(
        work_type: ompt_work_t, endpoint: ompt_scope_endpoint_t, parallel_data: *mut ompt_data_t,
        task_data: *mut ompt_data_t, count: u64, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_dispatch`].
    ompt_callback_dispatch_t(
        parallel_data: *mut ompt_data_t, task_data: *mut ompt_data_t, kind: ompt_dispatch_t,
        instance: ompt_data_t
    );
    /// [`ompt_callback_task_create`].
    ompt_callback_task_create_t(
        encountering_task_data: *mut ompt_data_t, encountering_task_frame: *const ompt_frame_t,
        new_task_data: *mut ompt_data_t, flags: c_int, has_dependences: c_int,
        codeptr_ra: *const c_void
    );
    /// [`ompt_callback_dependences`].
    ompt_callback_dependences_t(
        task_data: *mut ompt_data_t, deps: *const ompt_dependence_t, ndeps: c_int
    );
    /// [`ompt_callback_task_dependence`].
    ompt_callback_task_dependence_t(
        src_task_data: *mut ompt_data_t, sink_task_data: *mut ompt_data_t
    );
    /// [`ompt_callback_task_schedule`].
    ompt_callback_task_schedule_t(
        prior_task_data: *mut ompt_data_t, prior_task_status: ompt_task_status_t,
        next_task_data: *mut ompt_data_t
    );
    /// [`ompt_callback_implicit_task`].
    ompt_callback_implicit_task_t(
        endpoint: ompt_scope_endpoint_t, parallel_data: *mut ompt_data_t,
        task_data: *mut ompt_data_t, actual_parallelism: c_uint, index: c_uint, flags: c_int
    );
    /// [`ompt_callback_masked`].
    ompt_callback_masked_t(
        endpoint: ompt_scope_endpoint_t, parallel_data: *mut ompt_data_t,
        task_data: *mut ompt_data_t, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_sync_region_wait`] (16), [`ompt_callback_sync_region`] (23),
    /// [`ompt_callback_reduction`].
    ompt_callback_sync_region_t(
        kind: ompt_sync_region_t, endpoint: ompt_scope_endpoint_t, parallel_data: *mut ompt_data_t,
        task_data: *mut ompt_data_t, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_lock_init`] (24), [`ompt_callback_mutex_acquire`].
    ompt_callback_mutex_acquire_t(
        kind: ompt_mutex_t, hint: c_uint, r#impl: c_uint, wait_id: ompt_wait_id_t,
        codeptr_ra: *const c_void
    );
    /// [`ompt_callback_mutex_released`] (17), [`ompt_callback_lock_destroy`] (25),
    /// [`ompt_callback_mutex_acquired`].
    ompt_callback_mutex_t(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void);
    /// [`ompt_callback_nest_lock`].
    ompt_callback_nest_lock_t(
        endpoint: ompt_scope_endpoint_t, wait_id: ompt_wait_id_t, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_flush`].
    ompt_callback_flush_t(thread_data: *mut ompt_data_t, codeptr_ra: *const c_void);
    /// [`ompt_callback_cancel`].
    ompt_callback_cancel_t(task_data: *mut ompt_data_t, flags: c_int, codeptr_ra: *const c_void);
    /// [`ompt_callback_device_initialize`].
    ompt_callback_device_initialize_t(
        device_num: c_int, r#type: *const c_char, device: *mut ompt_device_t,
        lookup: Option<ompt_function_lookup_t>, documentation: *const c_char
    );
    /// [`ompt_callback_device_finalize`].
    ompt_callback_device_finalize_t(device_num: c_int);
    /// [`ompt_callback_device_load`].
    ompt_callback_device_load_t(
        device_num: c_int, filename: *const c_char, offset_in_file: i64, vma_in_file: *mut c_void,
        bytes: usize, host_addr: *mut c_void, device_addr: *mut c_void, module_id: u64
    );
    /// [`ompt_callback_device_unload`].
    ompt_callback_device_unload_t(device_num: c_int, module_id: u64);
    /// [`ompt_callback_target_data_op`].
    ompt_callback_target_data_op_t(
        target_id: ompt_id_t, host_op_id: ompt_id_t, optype: ompt_target_data_op_t,
        src_addr: *mut c_void, src_device_num: c_int, dest_addr: *mut c_void,
        dest_device_num: c_int, bytes: usize, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_target`].
    ompt_callback_target_t(
        kind: ompt_target_t, endpoint: ompt_scope_endpoint_t, device_num: c_int,
        task_data: *mut ompt_data_t, target_id: ompt_id_t, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_target_map`].
    ompt_callback_target_map_t(
        target_id: ompt_id_t, nitems: c_uint, host_addr: *mut *mut c_void,
        device_addr: *mut *mut c_void, bytes: *mut usize, mapping_flags: *mut c_uint,
        codeptr_ra: *const c_void
    );
    /// [`ompt_callback_target_submit`].
    ompt_callback_target_submit_t(
        target_id: ompt_id_t, host_op_id: ompt_id_t, requested_num_teams: c_uint
    );
    /// [`ompt_callback_control_tool`].
    ompt_callback_control_tool_t(
        command: u64, modifier: u64, arg: *mut c_void, codeptr_ra: *const c_void
    ) -> c_int;
    /// [`ompt_callback_error`].
    ompt_callback_error_t(
        severity: ompt_severity_t, message: *const c_char, length: usize, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_target_data_op_emi`].
    ompt_callback_target_data_op_emi_t(
        endpoint: ompt_scope_endpoint_t, target_task_data: *mut ompt_data_t,
        target_data: *mut ompt_data_t, host_op_id: *mut ompt_id_t, optype: ompt_target_data_op_t,
        src_addr: *mut c_void, src_device_num: c_int, dest_addr: *mut c_void,
        dest_device_num: c_int, bytes: usize, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_target_emi`].
    ompt_callback_target_emi_t(
        kind: ompt_target_t, endpoint: ompt_scope_endpoint_t, device_num: c_int,
        task_data: *mut ompt_data_t, target_task_data: *mut ompt_data_t,
        target_data: *mut ompt_data_t, codeptr_ra: *const c_void
    );
    /// [`ompt_callback_target_map_emi`].
    ompt_callback_target_map_emi_t(
        target_data: *mut ompt_data_t, nitems: c_uint, host_addr: *mut *mut c_void,
        device_addr: *mut *mut c_void, bytes: *mut usize, mapping_flags: *mut c_uint,
        codeptr_ra: *const c_void
    );
    /// [`ompt_callback_target_submit_emi`].
    ompt_callback_target_submit_emi_t(
        endpoint: ompt_scope_endpoint_t, target_data: *mut ompt_data_t, host_op_id: *mut ompt_id_t,
        requested_num_teams: c_uint
    );
}
