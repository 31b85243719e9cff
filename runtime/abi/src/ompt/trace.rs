//! Device tracing: the entry points that a device's lookup gives (OpenMP 6.0 `omp-tools.h`), and
//! the form of native records.

use super::*;
use core::ffi::{c_char, c_int, c_uint, c_void};

signatures! {
    /// Processors of a device.
    ompt_get_device_num_procs_t(device: *mut ompt_device_t) -> c_int;
    /// Time on a device.
    ompt_get_device_time_t(device: *mut ompt_device_t) -> ompt_device_time_t;
    /// A device time in seconds of `omp_get_wtime`.
    ompt_translate_time_t(device: *mut ompt_device_t, time: ompt_device_time_t) -> f64;
    /// Sets the events that a device records; `etype` 0 means all.
    ompt_set_trace_ompt_t(
        device: *mut ompt_device_t, enable: c_uint, etype: c_uint
    ) -> ompt_set_result_t;
    /// Sets the native activity that a device records (`ompt_native_mon_flag_t`).
    ompt_set_trace_native_t(
        device: *mut ompt_device_t, enable: c_int, flags: c_int
    ) -> ompt_set_result_t;
    /// The buffer sizes that a device recommends, since 6.0.
    ompt_get_buffer_limits_t(
        device: *mut ompt_device_t, max_concurrent_allocs: *mut c_int,
        recommended_bytes: *mut usize
    );
    /// Starts recording; 1 on success.
    ompt_start_trace_t(
        device: *mut ompt_device_t, request: ompt_callback_buffer_request_t,
        complete: ompt_callback_buffer_complete_t
    ) -> c_int;
    /// Pauses or resumes; 1 on success.
    ompt_pause_trace_t(device: *mut ompt_device_t, begin_pause: c_int) -> c_int;
    /// Delivers all records; 1 on success.
    ompt_flush_trace_t(device: *mut ompt_device_t) -> c_int;
    /// Ends recording; 1 on success.
    ompt_stop_trace_t(device: *mut ompt_device_t) -> c_int;
    /// The next record; 0 at the end.
    ompt_advance_buffer_cursor_t(
        device: *mut ompt_device_t, buffer: *mut ompt_buffer_t, size: usize,
        current: ompt_buffer_cursor_t, next: *mut ompt_buffer_cursor_t
    ) -> c_int;
    /// The type of the record.
    ompt_get_record_type_t(
        buffer: *mut ompt_buffer_t, current: ompt_buffer_cursor_t
    ) -> ompt_record_t;
    /// The native record at a cursor.
    ompt_get_record_native_t(
        buffer: *mut ompt_buffer_t, current: ompt_buffer_cursor_t, host_op_id: *mut ompt_id_t
    ) -> *mut c_void;
    /// The abstract record of a native record.
    ompt_get_record_abstract_t(native_record: *mut c_void) -> *mut ompt_record_abstract_t;
    /// The OMPT record at a cursor.
    ompt_get_record_ompt_t(
        buffer: *mut ompt_buffer_t, current: ompt_buffer_cursor_t
    ) -> *mut ompt_record_ompt_t;
    /// Not OpenMP's: `omphalos_lost_records`, which a tool gets from the lookup function of a
    /// device that this runtime plays. The number of records that the tool's traces of the device
    /// have lost.
    omphalos_lost_records_t(device: *const ompt_device_t) -> u64;
}

records! {
    /// A native record, as far as the runtime can read it.
    ompt_record_abstract_t {
        rclass: ompt_record_native_t, r#type: *const c_char, start_time: ompt_device_time_t,
        end_time: ompt_device_time_t, hwid: ompt_hwid_t,
    }
}
