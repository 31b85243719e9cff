/*
 * omp-tools.h: OMPT, the tool interface of OpenMP, versions 5.0 to 6.0.
 *
 * Part of Omphalos; written for it from the names and numbers of the OpenMP API specification.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * It holds the union of the versions: what a later version dropped keeps its number, and what one
 * added is marked with its version. A tool defines ompt_start_tool(), gets every other function by
 * name from the lookup that its initializer is handed, and works with any runtime that has OMPT.
 *
 * What a callback may not do: use OpenMP directives or call OpenMP routines. It returns or aborts.
 * Functions marked [signal] may be called from a signal handler, between a thread's begin and end.
 */
#ifndef OMPHALOS_OMP_TOOLS_H
#define OMPHALOS_OMP_TOOLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- plain types ------------------------------------------------------------------------- */

typedef uint64_t ompt_id_t;
typedef uint64_t ompt_wait_id_t;
typedef uint64_t ompt_hwid_t;
typedef uint64_t ompt_device_time_t;
typedef uint64_t ompt_buffer_cursor_t;
typedef void ompt_device_t;
typedef void ompt_buffer_t;

#define ompt_id_none 0
#define ompt_time_none 0
#define ompt_hwid_none 0
#define ompt_addr_none (~0)
#define ompt_mutex_impl_none 0
#define ompt_wait_id_none 0
#define ompt_data_none {0}

/* A word of the tool's own; it starts as ompt_data_none. */
typedef union ompt_data_t {
  uint64_t value;
  void *ptr;
} ompt_data_t;

/* Where user code and the runtime meet on a task's stack. */
typedef struct ompt_frame_t {
  ompt_data_t exit_frame;  /* first frame of the task's user code; none for the initial task */
  ompt_data_t enter_frame; /* the frame that entered the runtime; none while user code runs */
  int exit_frame_flags;    /* ompt_frame_flag_t */
  int enter_frame_flags;   /* ompt_frame_flag_t */
} ompt_frame_t;

/* ---- enumerations ------------------------------------------------------------------------ */

/* What a trace record holds. */
typedef enum ompt_record_t {
  ompt_record_ompt = 1,
  ompt_record_native = 2,
  ompt_record_invalid = 3
} ompt_record_t;

/* The class of a native trace record. */
typedef enum ompt_record_native_t {
  ompt_record_native_info = 1,
  ompt_record_native_event = 2
} ompt_record_native_t;

/* What ompt_set_callback() and the trace settings answer. */
typedef enum ompt_set_result_t {
  ompt_set_error = 0,
  ompt_set_never = 1,
  ompt_set_impossible = 2,
  ompt_set_sometimes = 3,
  ompt_set_sometimes_paired = 4,
  ompt_set_always = 5
} ompt_set_result_t;

/* The type of a thread. */
typedef enum ompt_thread_t {
  ompt_thread_initial = 1,
  ompt_thread_worker = 2,
  ompt_thread_other = 3,
  ompt_thread_unknown = 4
} ompt_thread_t;

/* Whether a region begins or ends. */
typedef enum ompt_scope_endpoint_t {
  ompt_scope_begin = 1,
  ompt_scope_end = 2,
  ompt_scope_beginend = 3  /* 5.1 */
} ompt_scope_endpoint_t;

/* What a thread is about to work on. */
typedef enum ompt_dispatch_t {
  ompt_dispatch_iteration = 1,
  ompt_dispatch_section = 2,
  ompt_dispatch_ws_loop_chunk = 3,  /* 5.2 */
  ompt_dispatch_taskloop_chunk = 4,  /* 5.2 */
  ompt_dispatch_distribute_chunk = 5  /* 5.2 */
} ompt_dispatch_t;

/* The construct that a thread synchronises in. */
typedef enum ompt_sync_region_t {
  ompt_sync_region_barrier = 1,  /* not in 6.0 */
  ompt_sync_region_barrier_implicit = 2,  /* not in 6.0 */
  ompt_sync_region_barrier_explicit = 3,
  ompt_sync_region_barrier_implementation = 4,
  ompt_sync_region_taskwait = 5,
  ompt_sync_region_taskgroup = 6,
  ompt_sync_region_reduction = 7,
  ompt_sync_region_barrier_implicit_workshare = 8,  /* 5.1 */
  ompt_sync_region_barrier_implicit_parallel = 9,  /* 5.1 */
  ompt_sync_region_barrier_teams = 10  /* 5.1 */
} ompt_sync_region_t;

/* An operation on device memory. */
typedef enum ompt_target_data_op_t {
  ompt_target_data_alloc = 1,
  ompt_target_data_transfer_to_device = 2,
  ompt_target_data_transfer_from_device = 3,
  ompt_target_data_delete = 4,
  ompt_target_data_associate = 5,
  ompt_target_data_disassociate = 6,
  ompt_target_data_alloc_async = 17,  /* 5.1 */
  ompt_target_data_transfer_to_device_async = 18,  /* 5.1 */
  ompt_target_data_transfer_from_device_async = 19,  /* 5.1 */
  ompt_target_data_delete_async = 20,  /* 5.1 */
  ompt_target_data_transfer = 7,  /* 6.0 */
  ompt_target_data_memset = 8,  /* 6.0 */
  ompt_target_data_transfer_rect = 9,  /* 6.0 */
  ompt_target_data_transfer_async = 23,  /* 6.0 */
  ompt_target_data_memset_async = 24,  /* 6.0 */
  ompt_target_data_transfer_rect_async = 25  /* 6.0 */
} ompt_target_data_op_t;

/* A worksharing (or similar) construct. */
typedef enum ompt_work_t {
  ompt_work_loop = 1,
  ompt_work_sections = 2,
  ompt_work_single_executor = 3,
  ompt_work_single_other = 4,
  ompt_work_workshare = 5,
  ompt_work_distribute = 6,
  ompt_work_taskloop = 7,
  ompt_work_scope = 8,  /* 5.1 */
  ompt_work_loop_static = 10,  /* 5.2 */
  ompt_work_loop_dynamic = 11,  /* 5.2 */
  ompt_work_loop_guided = 12,  /* 5.2 */
  ompt_work_loop_other = 13,  /* 5.2 */
  ompt_work_workdistribute = 9  /* 6.0 */
} ompt_work_t;

/* What mutual exclusion is asked for by. */
typedef enum ompt_mutex_t {
  ompt_mutex_lock = 1,
  ompt_mutex_test_lock = 2,
  ompt_mutex_nest_lock = 3,
  ompt_mutex_test_nest_lock = 4,
  ompt_mutex_critical = 5,
  ompt_mutex_atomic = 6,
  ompt_mutex_ordered = 7
} ompt_mutex_t;

/* Kinds of native device activity to trace; bits. */
typedef enum ompt_native_mon_flag_t {
  ompt_native_data_motion_explicit = 0x01,
  ompt_native_data_motion_implicit = 0x02,
  ompt_native_kernel_invocation = 0x04,
  ompt_native_kernel_execution = 0x08,
  ompt_native_driver = 0x10,
  ompt_native_runtime = 0x20,
  ompt_native_overhead = 0x40,
  ompt_native_idleness = 0x80
} ompt_native_mon_flag_t;

/* Attributes of a task; bits. */
typedef enum ompt_task_flag_t {
  ompt_task_initial = 0x00000001,
  ompt_task_implicit = 0x00000002,
  ompt_task_explicit = 0x00000004,
  ompt_task_target = 0x00000008,
  ompt_task_undeferred = 0x08000000,
  ompt_task_untied = 0x10000000,
  ompt_task_final = 0x20000000,
  ompt_task_mergeable = 0x40000000,
  ompt_task_merged = 0x80000000,
  ompt_task_taskwait = 0x00000010,  /* 5.1 */
  ompt_task_importing = 0x02000000,  /* 6.0 */
  ompt_task_exporting = 0x04000000  /* 6.0 */
} ompt_task_flag_t;

/* Why the prior task of a task switch left the thread. */
typedef enum ompt_task_status_t {
  ompt_task_complete = 1,
  ompt_task_yield = 2,
  ompt_task_cancel = 3,
  ompt_task_detach = 4,
  ompt_task_early_fulfill = 5,
  ompt_task_late_fulfill = 6,
  ompt_task_switch = 7,
  ompt_taskwait_complete = 8  /* 5.1 */
} ompt_task_status_t;

/* A device construct. */
typedef enum ompt_target_t {
  ompt_target = 1,
  ompt_target_enter_data = 2,
  ompt_target_exit_data = 3,
  ompt_target_update = 4,
  ompt_target_nowait = 9,  /* 5.1 */
  ompt_target_enter_data_nowait = 10,  /* 5.1 */
  ompt_target_exit_data_nowait = 11,  /* 5.1 */
  ompt_target_update_nowait = 12  /* 5.1 */
} ompt_target_t;

/* Who calls the region's code, and what kind of region it is; bits. */
typedef enum ompt_parallel_flag_t {
  ompt_parallel_invoker_program = 0x00000001,
  ompt_parallel_invoker_runtime = 0x00000002,
  ompt_parallel_league = 0x40000000,
  ompt_parallel_team = 0x80000000
} ompt_parallel_flag_t;

/* How an item is mapped; bits. */
typedef enum ompt_target_map_flag_t {
  ompt_target_map_flag_to = 0x01,
  ompt_target_map_flag_from = 0x02,
  ompt_target_map_flag_alloc = 0x04,
  ompt_target_map_flag_release = 0x08,
  ompt_target_map_flag_delete = 0x10,
  ompt_target_map_flag_implicit = 0x20,
  ompt_target_map_flag_always = 0x40,  /* 5.2 */
  ompt_target_map_flag_present = 0x80,  /* 5.2 */
  ompt_target_map_flag_close = 0x100,  /* 5.2 */
  ompt_target_map_flag_shared = 0x200  /* 5.2 */
} ompt_target_map_flag_t;

/* The type of a dependence. */
typedef enum ompt_dependence_type_t {
  ompt_dependence_type_in = 1,
  ompt_dependence_type_out = 2,
  ompt_dependence_type_inout = 3,
  ompt_dependence_type_mutexinoutset = 4,
  ompt_dependence_type_source = 5,
  ompt_dependence_type_sink = 6,
  ompt_dependence_type_inoutset = 7,  /* 5.1 */
  ompt_dependence_type_out_all_memory = 34,  /* 6.0 */
  ompt_dependence_type_inout_all_memory = 35  /* 6.0 */
} ompt_dependence_type_t;

/* What is cancelled, and what happened; bits. */
typedef enum ompt_cancel_flag_t {
  ompt_cancel_parallel = 0x01,
  ompt_cancel_sections = 0x02,
  ompt_cancel_loop = 0x04,
  ompt_cancel_taskgroup = 0x08,
  ompt_cancel_activated = 0x10,
  ompt_cancel_detected = 0x20,
  ompt_cancel_discarded_task = 0x40
} ompt_cancel_flag_t;

/* What a frame address is; one of the first two or-ed with one of the others. */
typedef enum ompt_frame_flag_t {
  ompt_frame_runtime = 0x00,
  ompt_frame_application = 0x01,
  ompt_frame_cfa = 0x10,
  ompt_frame_framepointer = 0x20,
  ompt_frame_stackaddress = 0x30
} ompt_frame_flag_t;

/* What a thread is doing. Up to 0x1ff the standard's, from 0x200 on an implementation's. */
typedef enum ompt_state_t {
  ompt_state_work_serial = 0x000,
  ompt_state_work_parallel = 0x001,
  ompt_state_work_reduction = 0x002,
  ompt_state_work_free_agent = 0x003,  /* 6.0 */
  ompt_state_work_induction = 0x004,  /* 6.0 */
  ompt_state_wait_barrier = 0x010,
  ompt_state_wait_barrier_implicit_parallel = 0x011,
  ompt_state_wait_barrier_implicit_workshare = 0x012,
  ompt_state_wait_barrier_implicit = 0x013,
  ompt_state_wait_barrier_explicit = 0x014,
  ompt_state_wait_barrier_implementation = 0x015,  /* 5.1 */
  ompt_state_wait_barrier_teams = 0x016,  /* 5.1 */
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
  ompt_state_undefined = 0x102
} ompt_state_t;

/* How grave an error is. */
typedef enum ompt_severity_t {
  ompt_warning = 1,
  ompt_fatal = 2
} ompt_severity_t;

/* The numbers of the callbacks. */
typedef enum ompt_callbacks_t {
  ompt_callback_thread_begin = 1,
  ompt_callback_thread_end = 2,
  ompt_callback_parallel_begin = 3,
  ompt_callback_parallel_end = 4,
  ompt_callback_task_create = 5,
  ompt_callback_task_schedule = 6,
  ompt_callback_implicit_task = 7,
  ompt_callback_target = 8,  /* deprecated by 6.0 */
  ompt_callback_target_data_op = 9,  /* deprecated by 6.0 */
  ompt_callback_target_submit = 10,  /* deprecated by 6.0 */
  ompt_callback_control_tool = 11,
  ompt_callback_device_initialize = 12,
  ompt_callback_device_finalize = 13,
  ompt_callback_device_load = 14,
  ompt_callback_device_unload = 15,
  ompt_callback_sync_region_wait = 16,
  ompt_callback_mutex_released = 17,
  ompt_callback_dependences = 18,
  ompt_callback_task_dependence = 19,
  ompt_callback_work = 20,
  ompt_callback_masked = 21,
  ompt_callback_target_map = 22,  /* deprecated by 6.0 */
  ompt_callback_sync_region = 23,
  ompt_callback_lock_init = 24,
  ompt_callback_lock_destroy = 25,
  ompt_callback_mutex_acquire = 26,
  ompt_callback_mutex_acquired = 27,
  ompt_callback_nest_lock = 28,
  ompt_callback_flush = 29,
  ompt_callback_cancel = 30,
  ompt_callback_reduction = 31,
  ompt_callback_dispatch = 32,
  ompt_callback_target_emi = 33,  /* 5.1 */
  ompt_callback_target_data_op_emi = 34,  /* 5.1 */
  ompt_callback_target_submit_emi = 35,  /* 5.1 */
  ompt_callback_target_map_emi = 36,  /* 5.1 */
  ompt_callback_error = 37  /* 5.1 */
} ompt_callbacks_t;

/* The 5.0 name of callback 21. */
#define ompt_callback_master ompt_callback_masked
#define ompt_callback_master_t ompt_callback_masked_t

/* ---- structures that callbacks hand out ---------------------------------------------------- */

/* A dependence of a task; for doacross one element of the iteration vector. */
typedef struct ompt_dependence_t {
  ompt_data_t variable;
  ompt_dependence_type_t dependence_type;
} ompt_dependence_t;

/* What the instance of a dispatched chunk points to (5.2). */
typedef struct ompt_dispatch_chunk_t {
  uint64_t start;
  uint64_t iterations;
} ompt_dispatch_chunk_t;

/* A rectangular part of a device array (6.0). */
typedef struct ompt_subvolume_t {
  const void *base;
  uint64_t size;
  uint64_t num_dims;
  const uint64_t *volume;
  const uint64_t *offsets;
  const uint64_t *dimensions;
} ompt_subvolume_t;

/* ---- starting and ending ------------------------------------------------------------------- */

/* Any entry point and any callback, to be cast to its own type. */
typedef void (*ompt_interface_fn_t)(void);
typedef void (*ompt_callback_t)(void);

/* Gives an entry point by name, NULL for a name that the runtime does not know. */
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *interface_function_name);

/* Returns 0 if the tool does not want to run after all. */
typedef int (*ompt_initialize_t)(ompt_function_lookup_t lookup, int initial_device_num,
    ompt_data_t *tool_data);
typedef void (*ompt_finalize_t)(ompt_data_t *tool_data);

typedef struct ompt_start_tool_result_t {
  ompt_initialize_t initialize;
  ompt_finalize_t finalize;
  ompt_data_t tool_data;
} ompt_start_tool_result_t;

/* A tool defines this; the runtime calls it with its value of _OPENMP. NULL: not interested. */
ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

/* ---- callbacks ----------------------------------------------------------------------------- */

typedef void (*ompt_callback_buffer_request_t)(
    int device_num, ompt_buffer_t **buffer, size_t *bytes);
typedef void (*ompt_callback_buffer_complete_t)(
    int device_num, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin,
    int buffer_owned);
typedef void (*ompt_callback_thread_begin_t)(ompt_thread_t thread_type, ompt_data_t *thread_data);
typedef void (*ompt_callback_thread_end_t)(ompt_data_t *thread_data);
typedef void (*ompt_callback_parallel_begin_t)(
    ompt_data_t *encountering_task_data, const ompt_frame_t *encountering_task_frame,
    ompt_data_t *parallel_data, unsigned int requested_parallelism, int flags,
    const void *codeptr_ra);
typedef void (*ompt_callback_parallel_end_t)(
    ompt_data_t *parallel_data, ompt_data_t *encountering_task_data, int flags,
    const void *codeptr_ra);
typedef void (*ompt_callback_work_t)(
    ompt_work_t work_type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
    ompt_data_t *task_data, uint64_t count, const void *codeptr_ra);
typedef void (*ompt_callback_dispatch_t)(
    ompt_data_t *parallel_data, ompt_data_t *task_data, ompt_dispatch_t kind, ompt_data_t instance);
typedef void (*ompt_callback_task_create_t)(
    ompt_data_t *encountering_task_data, const ompt_frame_t *encountering_task_frame,
    ompt_data_t *new_task_data, int flags, int has_dependences, const void *codeptr_ra);
typedef void (*ompt_callback_dependences_t)(
    ompt_data_t *task_data, const ompt_dependence_t *deps, int ndeps);
typedef void (*ompt_callback_task_dependence_t)(
    ompt_data_t *src_task_data, ompt_data_t *sink_task_data);
typedef void (*ompt_callback_task_schedule_t)(
    ompt_data_t *prior_task_data, ompt_task_status_t prior_task_status,
    ompt_data_t *next_task_data);
typedef void (*ompt_callback_implicit_task_t)(
    ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data, ompt_data_t *task_data,
    unsigned int actual_parallelism, unsigned int index, int flags);
typedef void (*ompt_callback_masked_t)(
    ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data, ompt_data_t *task_data,
    const void *codeptr_ra);
typedef void (*ompt_callback_sync_region_t)(
    ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
    ompt_data_t *task_data, const void *codeptr_ra);
typedef void (*ompt_callback_mutex_acquire_t)(
    ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t wait_id,
    const void *codeptr_ra);
typedef void (*ompt_callback_mutex_t)(
    ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra);
typedef void (*ompt_callback_nest_lock_t)(
    ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *codeptr_ra);
typedef void (*ompt_callback_flush_t)(ompt_data_t *thread_data, const void *codeptr_ra);
typedef void (*ompt_callback_cancel_t)(ompt_data_t *task_data, int flags, const void *codeptr_ra);
typedef void (*ompt_callback_device_initialize_t)(
    int device_num, const char *type, ompt_device_t *device, ompt_function_lookup_t lookup,
    const char *documentation);
typedef void (*ompt_callback_device_finalize_t)(int device_num);
typedef void (*ompt_callback_device_load_t)(
    int device_num, const char *filename, int64_t offset_in_file, void *vma_in_file, size_t bytes,
    void *host_addr, void *device_addr, uint64_t module_id);
typedef void (*ompt_callback_device_unload_t)(int device_num, uint64_t module_id);
typedef void (*ompt_callback_target_data_op_t)(
    ompt_id_t target_id, ompt_id_t host_op_id, ompt_target_data_op_t optype, void *src_addr,
    int src_device_num, void *dest_addr, int dest_device_num, size_t bytes, const void *codeptr_ra);
typedef void (*ompt_callback_target_t)(
    ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num, ompt_data_t *task_data,
    ompt_id_t target_id, const void *codeptr_ra);
typedef void (*ompt_callback_target_map_t)(
    ompt_id_t target_id, unsigned int nitems, void **host_addr, void **device_addr, size_t *bytes,
    unsigned int *mapping_flags, const void *codeptr_ra);
typedef void (*ompt_callback_target_submit_t)(
    ompt_id_t target_id, ompt_id_t host_op_id, unsigned int requested_num_teams);
typedef int (*ompt_callback_control_tool_t)(
    uint64_t command, uint64_t modifier, void *arg, const void *codeptr_ra);
typedef void (*ompt_callback_error_t)(
    ompt_severity_t severity, const char *message, size_t length, const void *codeptr_ra);
typedef void (*ompt_callback_target_data_op_emi_t)(
    ompt_scope_endpoint_t endpoint, ompt_data_t *target_task_data, ompt_data_t *target_data,
    ompt_id_t *host_op_id, ompt_target_data_op_t optype, void *src_addr, int src_device_num,
    void *dest_addr, int dest_device_num, size_t bytes, const void *codeptr_ra);
typedef void (*ompt_callback_target_emi_t)(
    ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num, ompt_data_t *task_data,
    ompt_data_t *target_task_data, ompt_data_t *target_data, const void *codeptr_ra);
typedef void (*ompt_callback_target_map_emi_t)(
    ompt_data_t *target_data, unsigned int nitems, void **host_addr, void **device_addr,
    size_t *bytes, unsigned int *mapping_flags, const void *codeptr_ra);
typedef void (*ompt_callback_target_submit_emi_t)(
    ompt_scope_endpoint_t endpoint, ompt_data_t *target_data, ompt_id_t *host_op_id,
    unsigned int requested_num_teams);

/* ---- host entry points, by lookup ------------------------------------------------------------ */

/* A number that no other call returns. [signal] */
typedef uint64_t (*ompt_get_unique_id_t)(void);
/* The next state after current_state; 1 while there is one. Starts with ompt_state_undefined. */
typedef int (*ompt_enumerate_states_t)(
    int current_state, int *next_state, const char **next_state_name);
/* The next kind of mutex; 1 while there is one. Starts with ompt_mutex_impl_none. */
typedef int (*ompt_enumerate_mutex_impls_t)(
    int current_impl, int *next_impl, const char **next_impl_name);
/* Registers (null: removes) a callback. */
typedef ompt_set_result_t (*ompt_set_callback_t)(ompt_callbacks_t event, ompt_callback_t callback);
/* The registered callback; 1 if there is one, else 0. */
typedef int (*ompt_get_callback_t)(ompt_callbacks_t event, ompt_callback_t *callback);
/* The calling thread's data, null if it is none of OpenMP's. [signal] */
typedef ompt_data_t *(*ompt_get_thread_data_t)(void);
/* Processors of the host device. [signal] */
typedef int (*ompt_get_num_procs_t)(void);
/* Places of the initial task. [signal] */
typedef int (*ompt_get_num_places_t)(void);
/* Processors of a place: how many there are, and as many as fit. */
typedef int (*ompt_get_place_proc_ids_t)(int place_num, int ids_size, int *ids);
/* Place of the calling thread, -1 if not bound. [signal] */
typedef int (*ompt_get_place_num_t)(void);
/* Places of the current task's partition. [signal] */
typedef int (*ompt_get_partition_place_nums_t)(int place_nums_size, int *place_nums);
/* Processor of the calling thread, negative if unknown. [signal] */
typedef int (*ompt_get_proc_id_t)(void);
/* State of the calling thread; the wait id if it waits for a mutex. [signal] */
typedef int (*ompt_get_state_t)(ompt_wait_id_t *wait_id);
/* An enclosing region: 2 available, 1 not now, 0 no such level. [signal] */
typedef int (*ompt_get_parallel_info_t)(
    int ancestor_level, ompt_data_t **parallel_data, int *team_size);
/* A task on the calling thread, results as for regions. [signal] */
typedef int (*ompt_get_task_info_t)(
    int ancestor_level, int *flags, ompt_data_t **task_data, ompt_frame_t **task_frame,
    ompt_data_t **parallel_data, int *thread_num);
/* A memory block of the current task; 1 if there are more. [signal] */
typedef int (*ompt_get_task_memory_t)(void **addr, size_t *size, int block);
/* The current device construct; 1 if there is one. [signal] */
typedef int (*ompt_get_target_info_t)(
    uint64_t *device_num, ompt_id_t *target_id, ompt_id_t *host_op_id);
/* Devices that the program can use. [signal] */
typedef int (*ompt_get_num_devices_t)(void);
/* Ends the tool as if the program ended. */
typedef void (*ompt_finalize_tool_t)(void);

/* ---- device tracing: records --------------------------------------------------------------- */

typedef struct ompt_record_abstract_t {
  ompt_record_native_t rclass;
  const char *type;
  ompt_device_time_t start_time;
  ompt_device_time_t end_time;
  ompt_hwid_t hwid;
} ompt_record_abstract_t;

typedef struct ompt_record_thread_begin_t {
  ompt_thread_t thread_type;
} ompt_record_thread_begin_t;

typedef struct ompt_record_parallel_begin_t {
  ompt_id_t encountering_task_id;
  ompt_id_t parallel_id;
  unsigned int requested_parallelism;
  int flags;
  const void *codeptr_ra;
} ompt_record_parallel_begin_t;

typedef struct ompt_record_parallel_end_t {
  ompt_id_t parallel_id;
  ompt_id_t encountering_task_id;
  int flags;
  const void *codeptr_ra;
} ompt_record_parallel_end_t;

typedef struct ompt_record_work_t {
  ompt_work_t work_type;
  ompt_scope_endpoint_t endpoint;
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  uint64_t count;
  const void *codeptr_ra;
} ompt_record_work_t;

typedef struct ompt_record_dispatch_t {
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  ompt_dispatch_t kind;
  ompt_data_t instance;
} ompt_record_dispatch_t;

typedef struct ompt_record_task_create_t {
  ompt_id_t encountering_task_id;
  ompt_id_t new_task_id;
  int flags;
  int has_dependences;
  const void *codeptr_ra;
} ompt_record_task_create_t;

typedef struct ompt_record_dependences_t {
  ompt_id_t task_id;
  ompt_dependence_t dep;
  int ndeps;
} ompt_record_dependences_t;

typedef struct ompt_record_task_dependence_t {
  ompt_id_t src_task_id;
  ompt_id_t sink_task_id;
} ompt_record_task_dependence_t;

typedef struct ompt_record_task_schedule_t {
  ompt_id_t prior_task_id;
  ompt_task_status_t prior_task_status;
  ompt_id_t next_task_id;
} ompt_record_task_schedule_t;

typedef struct ompt_record_implicit_task_t {
  ompt_scope_endpoint_t endpoint;
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  unsigned int actual_parallelism;
  unsigned int index;
  int flags;
} ompt_record_implicit_task_t;

typedef struct ompt_record_masked_t {
  ompt_scope_endpoint_t endpoint;
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  const void *codeptr_ra;
} ompt_record_masked_t;

typedef struct ompt_record_sync_region_t {
  ompt_sync_region_t kind;
  ompt_scope_endpoint_t endpoint;
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  const void *codeptr_ra;
} ompt_record_sync_region_t;

typedef struct ompt_record_mutex_acquire_t {
  ompt_mutex_t kind;
  unsigned int hint;
  unsigned int impl;
  ompt_wait_id_t wait_id;
  const void *codeptr_ra;
} ompt_record_mutex_acquire_t;

typedef struct ompt_record_mutex_t {
  ompt_mutex_t kind;
  ompt_wait_id_t wait_id;
  const void *codeptr_ra;
} ompt_record_mutex_t;

typedef struct ompt_record_nest_lock_t {
  ompt_scope_endpoint_t endpoint;
  ompt_wait_id_t wait_id;
  const void *codeptr_ra;
} ompt_record_nest_lock_t;

typedef struct ompt_record_flush_t {
  const void *codeptr_ra;
} ompt_record_flush_t;

typedef struct ompt_record_cancel_t {
  ompt_id_t task_id;
  int flags;
  const void *codeptr_ra;
} ompt_record_cancel_t;

typedef struct ompt_record_target_data_op_emi_t {
  ompt_id_t host_op_id;
  ompt_target_data_op_t optype;
  void *src_addr;
  int src_device_num;
  void *dest_addr;
  int dest_device_num;
  size_t bytes;
  ompt_device_time_t end_time;
  const void *codeptr_ra;
} ompt_record_target_data_op_emi_t;

typedef struct ompt_record_target_emi_t {
  ompt_target_t kind;
  ompt_scope_endpoint_t endpoint;
  int device_num;
  ompt_id_t task_id;
  ompt_id_t target_id;
  const void *codeptr_ra;
} ompt_record_target_emi_t;

typedef struct ompt_record_target_map_emi_t {
  ompt_id_t target_id;
  unsigned int nitems;
  void **host_addr;
  void **device_addr;
  size_t *bytes;
  unsigned int *mapping_flags;
  const void *codeptr_ra;
} ompt_record_target_map_emi_t;

typedef struct ompt_record_target_submit_emi_t {
  ompt_id_t host_op_id;
  unsigned int requested_num_teams;
  unsigned int granted_num_teams;
  ompt_device_time_t end_time;
} ompt_record_target_submit_emi_t;

typedef struct ompt_record_control_tool_t {
  uint64_t command;
  uint64_t modifier;
  const void *codeptr_ra;
} ompt_record_control_tool_t;

typedef struct ompt_record_error_t {
  ompt_severity_t severity;
  const char *message;
  size_t length;
  const void *codeptr_ra;
} ompt_record_error_t;

/* Names before 6.0. */
typedef ompt_record_target_emi_t ompt_record_target_t;
typedef ompt_record_target_data_op_emi_t ompt_record_target_data_op_t;
typedef ompt_record_target_map_emi_t ompt_record_target_map_t;
typedef ompt_record_target_submit_emi_t ompt_record_target_kernel_t;

typedef union ompt_any_record_ompt_t {
  ompt_record_thread_begin_t thread_begin;
  ompt_record_parallel_begin_t parallel_begin;
  ompt_record_parallel_end_t parallel_end;
  ompt_record_work_t work;
  ompt_record_dispatch_t dispatch;
  ompt_record_task_create_t task_create;
  ompt_record_dependences_t dependences;
  ompt_record_task_dependence_t task_dependence;
  ompt_record_task_schedule_t task_schedule;
  ompt_record_implicit_task_t implicit_task;
  ompt_record_masked_t masked;
  ompt_record_sync_region_t sync_region;
  ompt_record_mutex_acquire_t mutex_acquire;
  ompt_record_mutex_t mutex;
  ompt_record_nest_lock_t nest_lock;
  ompt_record_flush_t flush;
  ompt_record_cancel_t cancel;
  ompt_record_target_data_op_emi_t target_data_op_emi;
  ompt_record_target_emi_t target_emi;
  ompt_record_target_map_emi_t target_map_emi;
  ompt_record_target_submit_emi_t target_submit_emi;
  ompt_record_control_tool_t control_tool;
  ompt_record_error_t error;
  /* Names before 6.0. */
  ompt_record_target_data_op_t target_data_op;
  ompt_record_target_t target;
  ompt_record_target_map_t target_map;
  ompt_record_target_kernel_t target_kernel;
} ompt_any_record_ompt_t;

typedef struct ompt_record_ompt_t {
  ompt_callbacks_t type; /* says which member of record holds */
  ompt_device_time_t time;
  ompt_id_t thread_id;
  ompt_id_t target_id;
  ompt_any_record_ompt_t record;
} ompt_record_ompt_t;

/* ---- device tracing: entry points, by the lookup of a device ------------------------------- */

/* Processors of a device. */
typedef int (*ompt_get_device_num_procs_t)(ompt_device_t *device);
/* Time on a device. */
typedef ompt_device_time_t (*ompt_get_device_time_t)(ompt_device_t *device);
/* A device time in seconds of omp_get_wtime. */
typedef double (*ompt_translate_time_t)(ompt_device_t *device, ompt_device_time_t time);
/* Which events a device records; etype 0 means all. */
typedef ompt_set_result_t (*ompt_set_trace_ompt_t)(
    ompt_device_t *device, unsigned int enable, unsigned int etype);
/* Which native activity a device records (ompt_native_mon_flag_t). */
typedef ompt_set_result_t (*ompt_set_trace_native_t)(ompt_device_t *device, int enable, int flags);
/* What buffers a device likes, since 6.0. */
typedef void (*ompt_get_buffer_limits_t)(
    ompt_device_t *device, int *max_concurrent_allocs, size_t *recommended_bytes);
/* Starts recording; 1 on success. */
typedef int (*ompt_start_trace_t)(
    ompt_device_t *device, ompt_callback_buffer_request_t request,
    ompt_callback_buffer_complete_t complete);
/* Pauses or resumes; 1 on success. */
typedef int (*ompt_pause_trace_t)(ompt_device_t *device, int begin_pause);
/* Delivers what is recorded; 1 on success. */
typedef int (*ompt_flush_trace_t)(ompt_device_t *device);
/* Ends recording; 1 on success. */
typedef int (*ompt_stop_trace_t)(ompt_device_t *device);
/* The next record; 0 at the end. */
typedef int (*ompt_advance_buffer_cursor_t)(
    ompt_device_t *device, ompt_buffer_t *buffer, size_t size, ompt_buffer_cursor_t current,
    ompt_buffer_cursor_t *next);
/* What the record is. */
typedef ompt_record_t (*ompt_get_record_type_t)(
    ompt_buffer_t *buffer, ompt_buffer_cursor_t current);
/* The native record at a cursor. */
typedef void *(*ompt_get_record_native_t)(
    ompt_buffer_t *buffer, ompt_buffer_cursor_t current, ompt_id_t *host_op_id);
/* What the runtime knows of a native record. */
typedef ompt_record_abstract_t *(*ompt_get_record_abstract_t)(void *native_record);
/* The OMPT record at a cursor. */
typedef ompt_record_ompt_t *(*ompt_get_record_ompt_t)(
    ompt_buffer_t *buffer, ompt_buffer_cursor_t current);

/* ---- lists: what a tool goes through with a macro of its own ------------------------------- */

/* macro(callback, its type, its number): events of the host, of devices, and of target constructs in
 * both forms. */
#define FOREACH_OMPT_HOST_EVENT(macro) \
  macro(ompt_callback_thread_begin, ompt_callback_thread_begin_t, 1) \
  macro(ompt_callback_thread_end, ompt_callback_thread_end_t, 2) \
  macro(ompt_callback_parallel_begin, ompt_callback_parallel_begin_t, 3) \
  macro(ompt_callback_parallel_end, ompt_callback_parallel_end_t, 4) \
  macro(ompt_callback_task_create, ompt_callback_task_create_t, 5) \
  macro(ompt_callback_task_schedule, ompt_callback_task_schedule_t, 6) \
  macro(ompt_callback_implicit_task, ompt_callback_implicit_task_t, 7) \
  macro(ompt_callback_control_tool, ompt_callback_control_tool_t, 11) \
  macro(ompt_callback_sync_region_wait, ompt_callback_sync_region_t, 16) \
  macro(ompt_callback_mutex_released, ompt_callback_mutex_t, 17) \
  macro(ompt_callback_dependences, ompt_callback_dependences_t, 18) \
  macro(ompt_callback_task_dependence, ompt_callback_task_dependence_t, 19) \
  macro(ompt_callback_work, ompt_callback_work_t, 20) \
  macro(ompt_callback_masked, ompt_callback_masked_t, 21) \
  macro(ompt_callback_sync_region, ompt_callback_sync_region_t, 23) \
  macro(ompt_callback_lock_init, ompt_callback_mutex_acquire_t, 24) \
  macro(ompt_callback_lock_destroy, ompt_callback_mutex_t, 25) \
  macro(ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t, 26) \
  macro(ompt_callback_mutex_acquired, ompt_callback_mutex_t, 27) \
  macro(ompt_callback_nest_lock, ompt_callback_nest_lock_t, 28) \
  macro(ompt_callback_flush, ompt_callback_flush_t, 29) \
  macro(ompt_callback_cancel, ompt_callback_cancel_t, 30) \
  macro(ompt_callback_reduction, ompt_callback_sync_region_t, 31) \
  macro(ompt_callback_dispatch, ompt_callback_dispatch_t, 32) \
  macro(ompt_callback_error, ompt_callback_error_t, 37)

#define FOREACH_OMPT_DEVICE_EVENT(macro) \
  macro(ompt_callback_device_initialize, ompt_callback_device_initialize_t, 12) \
  macro(ompt_callback_device_finalize, ompt_callback_device_finalize_t, 13) \
  macro(ompt_callback_device_load, ompt_callback_device_load_t, 14) \
  macro(ompt_callback_device_unload, ompt_callback_device_unload_t, 15)

#define FOREACH_OMPT_NOEMI_EVENT(macro) \
  macro(ompt_callback_target, ompt_callback_target_t, 8) \
  macro(ompt_callback_target_data_op, ompt_callback_target_data_op_t, 9) \
  macro(ompt_callback_target_submit, ompt_callback_target_submit_t, 10) \
  macro(ompt_callback_target_map, ompt_callback_target_map_t, 22)

#define FOREACH_OMPT_EMI_EVENT(macro) \
  macro(ompt_callback_target_emi, ompt_callback_target_emi_t, 33) \
  macro(ompt_callback_target_data_op_emi, ompt_callback_target_data_op_emi_t, 34) \
  macro(ompt_callback_target_submit_emi, ompt_callback_target_submit_emi_t, 35) \
  macro(ompt_callback_target_map_emi, ompt_callback_target_map_emi_t, 36)

#define FOREACH_OMPT_50_TARGET_EVENT(macro) \
  FOREACH_OMPT_DEVICE_EVENT(macro) FOREACH_OMPT_NOEMI_EVENT(macro)
#define FOREACH_OMPT_51_TARGET_EVENT(macro) \
  FOREACH_OMPT_DEVICE_EVENT(macro) FOREACH_OMPT_EMI_EVENT(macro)
#define FOREACH_OMPT_EVENT(macro) \
  FOREACH_OMPT_HOST_EVENT(macro) FOREACH_OMPT_DEVICE_EVENT(macro) \
  FOREACH_OMPT_NOEMI_EVENT(macro) FOREACH_OMPT_EMI_EVENT(macro)
#define FOREACH_OMPT_51_EVENT(macro) \
  FOREACH_OMPT_HOST_EVENT(macro) FOREACH_OMPT_51_TARGET_EVENT(macro)

/* macro(entry point of the host); its type is the name with _t. */
#define FOREACH_OMPT_INQUIRY_FN(macro) \
  macro(ompt_get_unique_id) \
  macro(ompt_enumerate_states) \
  macro(ompt_enumerate_mutex_impls) \
  macro(ompt_set_callback) \
  macro(ompt_get_callback) \
  macro(ompt_get_thread_data) \
  macro(ompt_get_num_procs) \
  macro(ompt_get_num_places) \
  macro(ompt_get_place_proc_ids) \
  macro(ompt_get_place_num) \
  macro(ompt_get_partition_place_nums) \
  macro(ompt_get_proc_id) \
  macro(ompt_get_state) \
  macro(ompt_get_parallel_info) \
  macro(ompt_get_task_info) \
  macro(ompt_get_task_memory) \
  macro(ompt_get_target_info) \
  macro(ompt_get_num_devices) \
  macro(ompt_finalize_tool)

/* macro(state, its number). */
#define FOREACH_OMPT_STATE(macro) \
  macro(ompt_state_work_serial, 0x000) \
  macro(ompt_state_work_parallel, 0x001) \
  macro(ompt_state_work_reduction, 0x002) \
  macro(ompt_state_work_free_agent, 0x003) \
  macro(ompt_state_work_induction, 0x004) \
  macro(ompt_state_wait_barrier, 0x010) \
  macro(ompt_state_wait_barrier_implicit_parallel, 0x011) \
  macro(ompt_state_wait_barrier_implicit_workshare, 0x012) \
  macro(ompt_state_wait_barrier_implicit, 0x013) \
  macro(ompt_state_wait_barrier_explicit, 0x014) \
  macro(ompt_state_wait_barrier_implementation, 0x015) \
  macro(ompt_state_wait_barrier_teams, 0x016) \
  macro(ompt_state_wait_taskwait, 0x020) \
  macro(ompt_state_wait_taskgroup, 0x021) \
  macro(ompt_state_wait_mutex, 0x040) \
  macro(ompt_state_wait_lock, 0x041) \
  macro(ompt_state_wait_critical, 0x042) \
  macro(ompt_state_wait_atomic, 0x043) \
  macro(ompt_state_wait_ordered, 0x044) \
  macro(ompt_state_wait_target, 0x080) \
  macro(ompt_state_wait_target_map, 0x081) \
  macro(ompt_state_wait_target_update, 0x082) \
  macro(ompt_state_idle, 0x100) \
  macro(ompt_state_overhead, 0x101) \
  macro(ompt_state_undefined, 0x102)

#ifdef __cplusplus
}
#endif

/* OMPD, for debuggers. */
#include "ompd.h"

#endif
