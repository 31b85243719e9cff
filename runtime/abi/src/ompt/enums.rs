//! OMPT's enumerations, OpenMP 6.0 `omp-tools.h`, with the enumerators of 5.0-5.2 that 6.0 dropped.
//!
//! Each is a plain integer and a set of constants under the specification's names: the values cross
//! a C interface in both directions, and another version's runtime or tool may send a number that
//! is not listed here, which a Rust `enum` could not hold. What must hold: a number never changes
//! (tests compare them with C headers).

use core::ffi::c_int;

/// One enumerator: its type's name, its own name, its value.
pub type Enumerator = (&'static str, &'static str, c_int);

/// Defines integer types with their constants, and [`ENUMERATORS`] from the same text.
macro_rules! c_enums {
    ($($(#[$meta:meta])* $ty:ident { $($(#[$emeta:meta])* $name:ident = $value:literal,)* })*) => {
        $(
            $(#[$meta])*
            pub type $ty = c_int;
            $(
                #[doc = concat!("`", stringify!($value), "`, one of [`", stringify!($ty), "`].")]
                $(#[$emeta])*
                pub const $name: $ty = $value as u32 as c_int;
            )*
        )*

        /// Every enumerator of this module.
        pub const ENUMERATORS: &[Enumerator] =
            &[$($((stringify!($ty), stringify!($name), $name),)*)*];
    };
}

c_enums! {
    /// The type of a trace record.
    ompt_record_t {
        ompt_record_ompt = 1,
        ompt_record_native = 2,
        ompt_record_invalid = 3,
    }
    /// The class of a native trace record.
    ompt_record_native_t {
        ompt_record_native_info = 1,
        ompt_record_native_event = 2,
    }
    /// The results of `ompt_set_callback` and of the trace settings.
    ompt_set_result_t {
        ompt_set_error = 0,
        ompt_set_never = 1,
        ompt_set_impossible = 2,
        ompt_set_sometimes = 3,
        ompt_set_sometimes_paired = 4,
        ompt_set_always = 5,
    }
    /// The type of a thread.
    ompt_thread_t {
        ompt_thread_initial = 1,
        ompt_thread_worker = 2,
        ompt_thread_other = 3,
        ompt_thread_unknown = 4,
    }
    /// Whether a region begins or ends.
    ompt_scope_endpoint_t {
        ompt_scope_begin = 1,
        ompt_scope_end = 2,
        /// Since 5.1.
        ompt_scope_beginend = 3,
    }
    /// The kind of work that a thread is about to begin.
    ompt_dispatch_t {
        ompt_dispatch_iteration = 1,
        ompt_dispatch_section = 2,
        /// Since 5.2.
        ompt_dispatch_ws_loop_chunk = 3,
        /// Since 5.2.
        ompt_dispatch_taskloop_chunk = 4,
        /// Since 5.2.
        ompt_dispatch_distribute_chunk = 5,
    }
    /// The construct that a thread synchronises in.
    ompt_sync_region_t {
        /// Not in 6.0.
        ompt_sync_region_barrier = 1,
        /// Not in 6.0.
        ompt_sync_region_barrier_implicit = 2,
        ompt_sync_region_barrier_explicit = 3,
        ompt_sync_region_barrier_implementation = 4,
        ompt_sync_region_taskwait = 5,
        ompt_sync_region_taskgroup = 6,
        ompt_sync_region_reduction = 7,
        /// Since 5.1.
        ompt_sync_region_barrier_implicit_workshare = 8,
        /// Since 5.1.
        ompt_sync_region_barrier_implicit_parallel = 9,
        /// Since 5.1.
        ompt_sync_region_barrier_teams = 10,
    }
    /// An operation on device memory.
    ompt_target_data_op_t {
        ompt_target_data_alloc = 1,
        ompt_target_data_transfer_to_device = 2,
        ompt_target_data_transfer_from_device = 3,
        ompt_target_data_delete = 4,
        ompt_target_data_associate = 5,
        ompt_target_data_disassociate = 6,
        /// Since 5.1.
        ompt_target_data_alloc_async = 17,
        /// Since 5.1.
        ompt_target_data_transfer_to_device_async = 18,
        /// Since 5.1.
        ompt_target_data_transfer_from_device_async = 19,
        /// Since 5.1.
        ompt_target_data_delete_async = 20,
        /// Since 6.0.
        ompt_target_data_transfer = 7,
        /// Since 6.0.
        ompt_target_data_memset = 8,
        /// Since 6.0.
        ompt_target_data_transfer_rect = 9,
        /// Since 6.0.
        ompt_target_data_transfer_async = 23,
        /// Since 6.0.
        ompt_target_data_memset_async = 24,
        /// Since 6.0.
        ompt_target_data_transfer_rect_async = 25,
    }
    /// A worksharing (or similar) construct.
    ompt_work_t {
        ompt_work_loop = 1,
        ompt_work_sections = 2,
        ompt_work_single_executor = 3,
        ompt_work_single_other = 4,
        ompt_work_workshare = 5,
        ompt_work_distribute = 6,
        ompt_work_taskloop = 7,
        /// Since 5.1.
        ompt_work_scope = 8,
        /// Since 5.2.
        ompt_work_loop_static = 10,
        /// Since 5.2.
        ompt_work_loop_dynamic = 11,
        /// Since 5.2.
        ompt_work_loop_guided = 12,
        /// Since 5.2.
        ompt_work_loop_other = 13,
        /// Since 6.0.
        ompt_work_workdistribute = 9,
    }
    /// The construct or routine that asks for mutual exclusion.
    ompt_mutex_t {
        ompt_mutex_lock = 1,
        ompt_mutex_test_lock = 2,
        ompt_mutex_nest_lock = 3,
        ompt_mutex_test_nest_lock = 4,
        ompt_mutex_critical = 5,
        ompt_mutex_atomic = 6,
        ompt_mutex_ordered = 7,
    }
    /// Kinds of native device activity to trace; bits.
    ompt_native_mon_flag_t {
        ompt_native_data_motion_explicit = 0x01,
        ompt_native_data_motion_implicit = 0x02,
        ompt_native_kernel_invocation = 0x04,
        ompt_native_kernel_execution = 0x08,
        ompt_native_driver = 0x10,
        ompt_native_runtime = 0x20,
        ompt_native_overhead = 0x40,
        ompt_native_idleness = 0x80,
    }
    /// Attributes of a task; bits.
    ompt_task_flag_t {
        ompt_task_initial = 0x00000001,
        ompt_task_implicit = 0x00000002,
        ompt_task_explicit = 0x00000004,
        ompt_task_target = 0x00000008,
        ompt_task_undeferred = 0x08000000,
        ompt_task_untied = 0x10000000,
        ompt_task_final = 0x20000000,
        ompt_task_mergeable = 0x40000000,
        ompt_task_merged = 0x80000000,
        /// Since 5.1.
        ompt_task_taskwait = 0x00000010,
        /// Since 6.0.
        ompt_task_importing = 0x02000000,
        /// Since 6.0.
        ompt_task_exporting = 0x04000000,
    }
    /// Why the prior task of a task switch left the thread.
    ompt_task_status_t {
        ompt_task_complete = 1,
        ompt_task_yield = 2,
        ompt_task_cancel = 3,
        ompt_task_detach = 4,
        ompt_task_early_fulfill = 5,
        ompt_task_late_fulfill = 6,
        ompt_task_switch = 7,
        /// Since 5.1.
        ompt_taskwait_complete = 8,
    }
    /// A device construct.
    ompt_target_t {
        ompt_target = 1,
        ompt_target_enter_data = 2,
        ompt_target_exit_data = 3,
        ompt_target_update = 4,
        /// Since 5.1.
        ompt_target_nowait = 9,
        /// Since 5.1.
        ompt_target_enter_data_nowait = 10,
        /// Since 5.1.
        ompt_target_exit_data_nowait = 11,
        /// Since 5.1.
        ompt_target_update_nowait = 12,
    }
    /// Whose code calls the region's, and the kind of the region; bits.
    ompt_parallel_flag_t {
        ompt_parallel_invoker_program = 0x00000001,
        ompt_parallel_invoker_runtime = 0x00000002,
        ompt_parallel_league = 0x40000000,
        ompt_parallel_team = 0x80000000,
    }
    /// How an item is mapped; bits.
    ompt_target_map_flag_t {
        ompt_target_map_flag_to = 0x01,
        ompt_target_map_flag_from = 0x02,
        ompt_target_map_flag_alloc = 0x04,
        ompt_target_map_flag_release = 0x08,
        ompt_target_map_flag_delete = 0x10,
        ompt_target_map_flag_implicit = 0x20,
        /// Since 5.2.
        ompt_target_map_flag_always = 0x40,
        /// Since 5.2.
        ompt_target_map_flag_present = 0x80,
        /// Since 5.2.
        ompt_target_map_flag_close = 0x100,
        /// Since 5.2.
        ompt_target_map_flag_shared = 0x200,
    }
    /// The type of a dependence.
    ompt_dependence_type_t {
        ompt_dependence_type_in = 1,
        ompt_dependence_type_out = 2,
        ompt_dependence_type_inout = 3,
        ompt_dependence_type_mutexinoutset = 4,
        ompt_dependence_type_source = 5,
        ompt_dependence_type_sink = 6,
        /// Since 5.1.
        ompt_dependence_type_inoutset = 7,
        /// Since 6.0.
        ompt_dependence_type_out_all_memory = 34,
        /// Since 6.0.
        ompt_dependence_type_inout_all_memory = 35,
    }
    /// The construct that is cancelled, and the event that happened; bits.
    ompt_cancel_flag_t {
        ompt_cancel_parallel = 0x01,
        ompt_cancel_sections = 0x02,
        ompt_cancel_loop = 0x04,
        ompt_cancel_taskgroup = 0x08,
        ompt_cancel_activated = 0x10,
        ompt_cancel_detected = 0x20,
        ompt_cancel_discarded_task = 0x40,
    }
    /// The kind of a frame address; one of the first two or-ed with one of the others.
    ompt_frame_flag_t {
        ompt_frame_runtime = 0x00,
        ompt_frame_application = 0x01,
        ompt_frame_cfa = 0x10,
        ompt_frame_framepointer = 0x20,
        ompt_frame_stackaddress = 0x30,
    }
    /// The state of a thread. Up to 0x1ff the standard's, from 0x200 on an implementation's.
    ompt_state_t {
        ompt_state_work_serial = 0x000,
        ompt_state_work_parallel = 0x001,
        ompt_state_work_reduction = 0x002,
        /// Since 6.0.
        ompt_state_work_free_agent = 0x003,
        /// Since 6.0.
        ompt_state_work_induction = 0x004,
        ompt_state_wait_barrier = 0x010,
        ompt_state_wait_barrier_implicit_parallel = 0x011,
        ompt_state_wait_barrier_implicit_workshare = 0x012,
        ompt_state_wait_barrier_implicit = 0x013,
        ompt_state_wait_barrier_explicit = 0x014,
        /// Since 5.1.
        ompt_state_wait_barrier_implementation = 0x015,
        /// Since 5.1.
        ompt_state_wait_barrier_teams = 0x016,
        ompt_state_wait_taskwait = 0x020,
        ompt_state_wait_taskgroup = 0x021,
        ompt_state_wait_mutex = 0x040,
        ompt_state_wait_lock = 0x041,
        ompt_state_wait_critical = 0x042,
        ompt_state_wait_atomic = 0x043,
        ompt_state_wait_ordered = 0x044,
        ompt_state_wait_target = 0x080,
        ompt_state_wait_target_map = 0x081,
        ompt_state_wait_target_update = 0x082,
        ompt_state_idle = 0x100,
        ompt_state_overhead = 0x101,
        ompt_state_undefined = 0x102,
    }
    /// How grave an error is.
    ompt_severity_t {
        ompt_warning = 1,
        ompt_fatal = 2,
    }
}
