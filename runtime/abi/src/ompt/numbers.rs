//! The numbers of OMPT's callbacks (`ompt_callbacks_t`), OpenMP 6.0 section 33.
//!
//! A tool names a callback by this number when it registers one. Who uses it: `omphalos-tools`
//! (the runtime's side), `omphalos-ompt` (the tools' side), and the agent. What must hold: the
//! numbers are those of `omp-tools.h` (`tests/headers.rs`), and have no gap (checked below).

use super::enums::Enumerator;
use core::ffi::c_int;

/// The number of a callback, in the standard an enumeration.
pub type ompt_callbacks_t = c_int;

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident = $value:literal,)*) => {
        $($(#[$meta])* pub const $name: ompt_callbacks_t = $value;)*

        /// Every callback's name and number, in the order of the numbers, from 1 without a gap.
        pub const CALLBACKS: &[Enumerator] =
            &[$(("ompt_callbacks_t", stringify!($name), $name),)*];
    };
}

numbers! {
    /// [`ompt_callback_thread_begin_t`](super::ompt_callback_thread_begin_t).
    ompt_callback_thread_begin = 1,
    /// [`ompt_callback_thread_end_t`](super::ompt_callback_thread_end_t).
    ompt_callback_thread_end = 2,
    /// [`ompt_callback_parallel_begin_t`](super::ompt_callback_parallel_begin_t).
    ompt_callback_parallel_begin = 3,
    /// [`ompt_callback_parallel_end_t`](super::ompt_callback_parallel_end_t).
    ompt_callback_parallel_end = 4,
    /// [`ompt_callback_task_create_t`](super::ompt_callback_task_create_t).
    ompt_callback_task_create = 5,
    /// [`ompt_callback_task_schedule_t`](super::ompt_callback_task_schedule_t).
    ompt_callback_task_schedule = 6,
    /// [`ompt_callback_implicit_task_t`](super::ompt_callback_implicit_task_t).
    ompt_callback_implicit_task = 7,
    /// [`ompt_callback_target_t`](super::ompt_callback_target_t); deprecated by 6.0.
    ompt_callback_target = 8,
    /// [`ompt_callback_target_data_op_t`](super::ompt_callback_target_data_op_t); deprecated by
    /// 6.0.
    ompt_callback_target_data_op = 9,
    /// [`ompt_callback_target_submit_t`](super::ompt_callback_target_submit_t); deprecated by 6.0.
    ompt_callback_target_submit = 10,
    /// [`ompt_callback_control_tool_t`](super::ompt_callback_control_tool_t).
    ompt_callback_control_tool = 11,
    /// [`ompt_callback_device_initialize_t`](super::ompt_callback_device_initialize_t).
    ompt_callback_device_initialize = 12,
    /// [`ompt_callback_device_finalize_t`](super::ompt_callback_device_finalize_t).
    ompt_callback_device_finalize = 13,
    /// [`ompt_callback_device_load_t`](super::ompt_callback_device_load_t).
    ompt_callback_device_load = 14,
    /// [`ompt_callback_device_unload_t`](super::ompt_callback_device_unload_t).
    ompt_callback_device_unload = 15,
    /// [`ompt_callback_sync_region_t`](super::ompt_callback_sync_region_t).
    ompt_callback_sync_region_wait = 16,
    /// [`ompt_callback_mutex_t`](super::ompt_callback_mutex_t).
    ompt_callback_mutex_released = 17,
    /// [`ompt_callback_dependences_t`](super::ompt_callback_dependences_t).
    ompt_callback_dependences = 18,
    /// [`ompt_callback_task_dependence_t`](super::ompt_callback_task_dependence_t).
    ompt_callback_task_dependence = 19,
    /// [`ompt_callback_work_t`](super::ompt_callback_work_t).
    ompt_callback_work = 20,
    /// [`ompt_callback_masked_t`](super::ompt_callback_masked_t).
    ompt_callback_masked = 21,
    /// [`ompt_callback_target_map_t`](super::ompt_callback_target_map_t); deprecated by 6.0.
    ompt_callback_target_map = 22,
    /// [`ompt_callback_sync_region_t`](super::ompt_callback_sync_region_t).
    ompt_callback_sync_region = 23,
    /// [`ompt_callback_mutex_acquire_t`](super::ompt_callback_mutex_acquire_t).
    ompt_callback_lock_init = 24,
    /// [`ompt_callback_mutex_t`](super::ompt_callback_mutex_t).
    ompt_callback_lock_destroy = 25,
    /// [`ompt_callback_mutex_acquire_t`](super::ompt_callback_mutex_acquire_t).
    ompt_callback_mutex_acquire = 26,
    /// [`ompt_callback_mutex_t`](super::ompt_callback_mutex_t).
    ompt_callback_mutex_acquired = 27,
    /// [`ompt_callback_nest_lock_t`](super::ompt_callback_nest_lock_t).
    ompt_callback_nest_lock = 28,
    /// [`ompt_callback_flush_t`](super::ompt_callback_flush_t).
    ompt_callback_flush = 29,
    /// [`ompt_callback_cancel_t`](super::ompt_callback_cancel_t).
    ompt_callback_cancel = 30,
    /// [`ompt_callback_sync_region_t`](super::ompt_callback_sync_region_t).
    ompt_callback_reduction = 31,
    /// [`ompt_callback_dispatch_t`](super::ompt_callback_dispatch_t).
    ompt_callback_dispatch = 32,
    /// [`ompt_callback_target_emi_t`](super::ompt_callback_target_emi_t), since 5.1.
    ompt_callback_target_emi = 33,
    /// [`ompt_callback_target_data_op_emi_t`](super::ompt_callback_target_data_op_emi_t), since
    /// 5.1.
    ompt_callback_target_data_op_emi = 34,
    /// [`ompt_callback_target_submit_emi_t`](super::ompt_callback_target_submit_emi_t), since 5.1.
    ompt_callback_target_submit_emi = 35,
    /// [`ompt_callback_target_map_emi_t`](super::ompt_callback_target_map_emi_t), since 5.1.
    ompt_callback_target_map_emi = 36,
    /// [`ompt_callback_error_t`](super::ompt_callback_error_t), since 5.1.
    ompt_callback_error = 37,
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
