//! The numbers of OMPT of June 2016 (version 2). Both variants (identifiers by value, and by
//! reference) have the same.
#![allow(non_camel_case_types, non_upper_case_globals)]

use super::numbers;

numbers! {
    ompt_event_t {
        ompt_event_thread_begin = 1,
        ompt_event_thread_end = 2,
        ompt_event_parallel_begin = 3,
        ompt_event_parallel_end = 4,
        ompt_event_task_create = 5,
        ompt_event_task_schedule = 6,
        ompt_event_implicit_task = 7,
        ompt_event_target = 8,
        ompt_event_target_data = 9,
        ompt_event_target_submit = 10,
        ompt_event_control = 11,
        ompt_event_runtime_shutdown = 12,
        ompt_event_idle = 13,
        ompt_event_sync_region_wait = 14,
        ompt_event_mutex_release = 15,
        ompt_event_task_dependences = 0x10,
        ompt_event_task_dependence_pair = 0x11,
        ompt_event_worksharing = 0x12,
        ompt_event_master = 0x13,
        ompt_event_target_data_map = 0x14,
        ompt_event_sync_region = 0x15,
        ompt_event_init_lock = 0x16,
        ompt_event_destroy_lock = 0x17,
        ompt_event_mutex_acquire = 0x18,
        ompt_event_mutex_acquired = 0x19,
        ompt_event_nested_lock = 0x1a,
        ompt_event_flush = 0x1b,
    }
    omp_state_t {
        omp_state_idle = 0,
        omp_state_work_serial = 0x10,
        omp_state_work_parallel = 0x11,
        omp_state_work_reduction = 0x12,
        omp_state_overhead = 0x20,
        omp_state_wait_barrier = 0x40,
        omp_state_wait_barrier_implicit = 0x41,
        omp_state_wait_barrier_explicit = 0x42,
        omp_state_wait_taskwait = 0x50,
        omp_state_wait_taskgroup = 0x51,
        omp_state_wait_mutex = 0x60,
        omp_state_wait_lock = 0x61,
        omp_state_wait_critical = 0x62,
        omp_state_wait_atomic = 0x63,
        omp_state_wait_ordered = 0x64,
        omp_state_wait_target = 0x70,
        omp_state_wait_target_data = 0x71,
        omp_state_wait_target_update = 0x72,
        omp_state_undefined = 0x80,
    }
    ompt_thread_type_t {
        ompt_thread_initial = 1,
        ompt_thread_worker = 2,
        ompt_thread_other = 3,
        ompt_thread_unknown = 4,
    }
    ompt_scope_endpoint_t {
        ompt_scope_begin = 1,
        ompt_scope_end = 2,
    }
    ompt_sync_region_kind_t {
        ompt_sync_region_barrier = 1,
        ompt_sync_region_taskwait = 2,
        ompt_sync_region_taskgroup = 3,
    }
    ompt_worksharing_type_t {
        ompt_worksharing_loop = 1,
        ompt_worksharing_sections = 2,
        ompt_worksharing_single_executor = 3,
        ompt_worksharing_single_other = 4,
        ompt_worksharing_workshare = 5,
        ompt_worksharing_distribute = 6,
    }
    ompt_mutex_kind_t {
        ompt_mutex = 0x10,
        ompt_mutex_lock = 0x11,
        ompt_mutex_nest_lock = 0x12,
        ompt_mutex_critical = 0x13,
        ompt_mutex_atomic = 0x14,
        ompt_mutex_ordered = 0x20,
    }
    ompt_task_type_t {
        ompt_task_initial = 1,
        ompt_task_implicit = 2,
        ompt_task_explicit = 3,
        ompt_task_target = 4,
        ompt_task_degenerate = 5,
    }
    ompt_target_type_t {
        ompt_target = 1,
        ompt_target_enter_data = 2,
        ompt_target_exit_data = 3,
        ompt_target_update = 4,
    }
    ompt_invoker_t {
        ompt_invoker_program = 1,
        ompt_invoker_runtime = 2,
    }
    ompt_target_data_op_t {
        ompt_target_data_alloc = 1,
        ompt_target_data_transfer_to_dev = 2,
        ompt_target_data_transfer_from_dev = 3,
        ompt_target_data_delete = 4,
    }
    ompt_target_map_flag_t {
        ompt_target_map_flag_to = 1,
        ompt_target_map_flag_from = 2,
        ompt_target_map_flag_alloc = 4,
        ompt_target_map_flag_release = 8,
        ompt_target_map_flag_delete = 0x10,
    }
    ompt_task_dependence_flag_t {
        ompt_task_dependence_type_out = 1,
        ompt_task_dependence_type_in = 2,
        ompt_task_dependence_type_inout = 3,
    }
}
