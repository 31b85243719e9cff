//! The signatures of OMPT's entry points, OpenMP 6.0 `omp-tools.h`, and the structure that a tool's
//! `ompt_start_tool` returns. Tools get entry points through the lookup function only.

use super::*;
use core::ffi::{c_char, c_int, c_uint, c_void};

signatures! {
    /// The one name that the runtime searches for: `ompt_start_tool`.
    ompt_start_tool_t(
        omp_version: c_uint, runtime_version: *const c_char
    ) -> *mut ompt_start_tool_result_t;
}

/// The result of `ompt_start_tool` if the tool wants to run.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_start_tool_result_t {
    /// Called once the runtime is ready; null is not allowed.
    pub initialize: Option<ompt_initialize_t>,
    /// Called after the last event; null is not allowed.
    pub finalize: Option<ompt_finalize_t>,
    /// The tool's own word, handed to both.
    pub tool_data: ompt_data_t,
}

signatures! {
    /// A number that no other call returns. Async-signal-safe.
    ompt_get_unique_id_t() -> u64;
    /// Any entry point, as the lookup gives it.
    ompt_interface_fn_t();
    /// Gives an entry point by its name, null for a name that is not known.
    ompt_function_lookup_t(interface_function_name: *const c_char) -> Option<ompt_interface_fn_t>;
    /// The tool's end.
    ompt_finalize_t(tool_data: *mut ompt_data_t);
    /// The tool's start; 0 switches the interface off.
    ompt_initialize_t(
        lookup: ompt_function_lookup_t, initial_device_num: c_int, tool_data: *mut ompt_data_t
    ) -> c_int;
    /// The next state after `current_state`; 1 while there is one. Starts with
    /// `ompt_state_undefined`.
    ompt_enumerate_states_t(
        current_state: c_int, next_state: *mut c_int, next_state_name: *mut *const c_char
    ) -> c_int;
    /// The next kind of mutex; 1 while there is one. Starts with `ompt_mutex_impl_none`.
    ompt_enumerate_mutex_impls_t(
        current_impl: c_int, next_impl: *mut c_int, next_impl_name: *mut *const c_char
    ) -> c_int;
    /// Registers (null: removes) a callback.
    ompt_set_callback_t(
        event: ompt_callbacks_t, callback: Option<ompt_callback_t>
    ) -> ompt_set_result_t;
    /// The registered callback; 1 if there is one, else 0.
    ompt_get_callback_t(event: ompt_callbacks_t, callback: *mut Option<ompt_callback_t>) -> c_int;
    /// The calling thread's data, null if it is none of OpenMP's. Async-signal-safe.
    ompt_get_thread_data_t() -> *mut ompt_data_t;
    /// Processors of the host device. Async-signal-safe.
    ompt_get_num_procs_t() -> c_int;
    /// Places of the initial task. Async-signal-safe.
    ompt_get_num_places_t() -> c_int;
    /// Processors of a place: how many there are, and as many as fit.
    ompt_get_place_proc_ids_t(place_num: c_int, ids_size: c_int, ids: *mut c_int) -> c_int;
    /// Place of the calling thread, -1 if not bound. Async-signal-safe.
    ompt_get_place_num_t() -> c_int;
    /// Places of the current task's partition. Async-signal-safe.
    ompt_get_partition_place_nums_t(place_nums_size: c_int, place_nums: *mut c_int) -> c_int;
    /// Processor of the calling thread, negative if unknown. Async-signal-safe.
    ompt_get_proc_id_t() -> c_int;
    /// State of the calling thread; the wait id if it waits for a mutex. Async-signal-safe.
    ompt_get_state_t(wait_id: *mut ompt_wait_id_t) -> c_int;
    /// An enclosing region: 2 available, 1 not now, 0 no such level. Async-signal-safe.
    ompt_get_parallel_info_t(
        ancestor_level: c_int, parallel_data: *mut *mut ompt_data_t, team_size: *mut c_int
    ) -> c_int;
    /// A task on the calling thread, results as for regions. Async-signal-safe.
    ompt_get_task_info_t(
        ancestor_level: c_int, flags: *mut c_int, task_data: *mut *mut ompt_data_t,
        task_frame: *mut *mut ompt_frame_t, parallel_data: *mut *mut ompt_data_t,
        thread_num: *mut c_int
    ) -> c_int;
    /// A memory block of the current task; 1 if there are more. Async-signal-safe.
    ompt_get_task_memory_t(addr: *mut *mut c_void, size: *mut usize, block: c_int) -> c_int;
    /// The current device construct; 1 if there is one. Async-signal-safe.
    ompt_get_target_info_t(
        device_num: *mut u64, target_id: *mut ompt_id_t, host_op_id: *mut ompt_id_t
    ) -> c_int;
    /// Devices that the program can use. Async-signal-safe.
    ompt_get_num_devices_t() -> c_int;
    /// Ends the tool as if the program ended.
    ompt_finalize_tool_t();
    /// Not OpenMP's: `omphalos_quiet_counts`, which a tool gets from this runtime's lookup
    /// function. The memory in which the calling thread's tasks are counted while the tool does not
    /// want to be told of each; null on a thread that OpenMP does not know. It is valid as long as
    /// the runtime is.
    omphalos_quiet_counts_t() -> *mut omphalos_quiet_t;
    /// Not OpenMP's: `omphalos_sums`, as above. The memory in which the calling thread's short
    /// regions are summed; null on a thread that OpenMP does not know.
    omphalos_sums_fn_t() -> *mut omphalos_sums_t;
    /// Not OpenMP's: `omphalos_summed`, as above. The word of the site if the thread is in a summed
    /// region, and its number there; 0 elsewhere. Async-signal-safe.
    omphalos_summed_t(thread_num: *mut u32) -> u64;
    /// Not OpenMP's: `omphalos_wish`, as above. The points in which the tool wants other events
    /// than OpenMP describes, as the union of `omphalos_wish_*`. Returns those that this runtime
    /// knows.
    omphalos_wish_t(wishes: u32) -> u32;
}
/// The wish to be told of waits for other iterations of a doacross loop by the mutex callbacks,
/// with `ompt_mutex_ordered`. It holds as long as no other tool is told of those.
pub const omphalos_wish_doacross_waits: u32 = 1;
/// The wish that a worker's `sync_region` and `implicit_task` at the end of a region may come after
/// the region's `parallel_end`, but before any other event of that worker's, so that the primary
/// thread need not wait for them. It holds as long as no other tool is told of either.
pub const omphalos_wish_late_ends: u32 = 2;
/// The wish that a region's data word holds the address of the outlined function, and not 0, at
/// `parallel_begin`.
pub const omphalos_wish_bodies: u32 = 4;

/// The names of the host entry points.
pub const HOST_ENTRY_POINTS: &[&str] = &[
    "ompt_get_unique_id",
    "ompt_enumerate_states",
    "ompt_enumerate_mutex_impls",
    "ompt_set_callback",
    "ompt_get_callback",
    "ompt_get_thread_data",
    "ompt_get_num_procs",
    "ompt_get_num_places",
    "ompt_get_place_proc_ids",
    "ompt_get_place_num",
    "ompt_get_partition_place_nums",
    "ompt_get_proc_id",
    "ompt_get_state",
    "ompt_get_parallel_info",
    "ompt_get_task_info",
    "ompt_get_task_memory",
    "ompt_get_target_info",
    "ompt_get_num_devices",
    "ompt_finalize_tool",
];

const _: () = assert!(HOST_ENTRY_POINTS.len() == 19);
