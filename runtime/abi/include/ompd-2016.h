/*
 * ompd-2016.h: OMPD of 2016 (version 2.001), and the names that the draft of the following year
 * had.
 *
 * Part of Omphalos; written for it from the names and numbers of that report.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Its names collide with those of OpenMP 5.0 (ompd.h), which mean other things: include one of the
 * two.
 */
#ifndef OMPHALOS_OMPD_2016_H
#define OMPHALOS_OMPD_2016_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t ompd_taddr_t;
typedef int64_t ompd_tword_t;
typedef uint64_t ompd_wait_id_t;
typedef uint64_t ompd_size_t;

typedef struct {
  ompd_taddr_t segment;
  ompd_taddr_t address;
} ompd_address_t;

#define OMPD_SEGMENT_UNSPECIFIED 0
#define OMPD_SEGMENT_TEXT 1
#define OMPD_SEGMENT_DATA 2

typedef struct _ompd_address_space_handle_s ompd_address_space_handle_t;
typedef struct _ompd_thread_handle_s ompd_thread_handle_t;
typedef struct _ompd_parallel_handle_s ompd_parallel_handle_t;
typedef struct _ompd_task_handle_s ompd_task_handle_t;
typedef struct _ompd_address_space_context_s ompd_address_space_context_t;
typedef struct _ompd_thread_context_s ompd_thread_context_t;

typedef struct {
  int sizeof_char, sizeof_short, sizeof_int, sizeof_long, sizeof_long_long, sizeof_pointer;
} ompd_target_type_sizes_t;

typedef enum {
  ompd_osthread_pthread,
  ompd_osthread_lwp,
  ompd_osthread_winthread
} ompd_osthread_kind_t;

typedef enum {
  ompd_rc_ok = 0,
  ompd_rc_unavailable = 1,
  ompd_rc_stale_handle = 2,
  ompd_rc_bad_input = 3,
  ompd_rc_error = 4,
  ompd_rc_unsupported = 5,
  ompd_rc_needs_state_tracking = 6,
  ompd_rc_incompatible = 7,
  ompd_rc_target_read_error = 8,
  ompd_rc_target_write_error = 9,
  ompd_rc_nomem = 10
} ompd_rc_t;

typedef enum {
  ompd_sched_static = 1,
  ompd_sched_dynamic = 2,
  ompd_sched_guided = 3,
  ompd_sched_auto = 4,
  ompd_sched_vendor_lo = 5,
  ompd_sched_vendor_hi = 0x7fffffff
} ompd_sched_t;

typedef enum {
  ompd_proc_bind_false = 0,
  ompd_proc_bind_true = 1,
  ompd_proc_bind_master = 2,
  ompd_proc_bind_close = 3,
  ompd_proc_bind_spread = 4
} ompd_proc_bind_t;

typedef enum {
  ompd_type_char,
  ompd_type_short,
  ompd_type_int,
  ompd_type_long,
  ompd_type_long_long,
  ompd_type_pointer
} ompd_target_prim_types_t;

typedef enum {
  ompd_state_work_serial = 0x00,
  ompd_state_work_parallel = 0x01,
  ompd_state_work_reduction = 0x02,
  ompd_state_idle = 0x10,
  ompd_state_overhead = 0x20,
  ompd_state_wait_barrier = 0x40,
  ompd_state_wait_barrier_implicit = 0x41,
  ompd_state_wait_barrier_explicit = 0x42,
  ompd_state_wait_taskwait = 0x50,
  ompd_state_wait_taskgroup = 0x51,
  ompd_state_wait_mutex = 0x60,
  ompd_state_wait_lock = 0x61,
  ompd_state_wait_critical = 0x62,
  ompd_state_wait_atomic = 0x63,
  ompd_state_wait_ordered = 0x64,
  ompd_state_undefined = 0x70,
  ompd_state_first = 0x71
} ompd_state_t;

typedef struct {
  ompd_rc_t (*d_alloc_memory)(ompd_size_t bytes, void **ptr);
  ompd_rc_t (*d_free_memory)(void *ptr);
  ompd_rc_t (*print_string)(const char *string);
  ompd_rc_t (*t_sizeof_prim_type)(ompd_address_space_context_t *context,
                                  ompd_target_type_sizes_t *sizes);
  ompd_rc_t (*t_symbol_addr_lookup)(ompd_address_space_context_t *context,
                                    ompd_thread_context_t *thread, const char *symbol_name,
                                    ompd_address_t *symbol_addr);
  ompd_rc_t (*t_read_memory)(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *addr, ompd_tword_t nbytes, void *buffer);
  ompd_rc_t (*t_write_memory)(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                              const ompd_address_t *addr, ompd_tword_t nbytes, const void *buffer);
  ompd_rc_t (*target_to_host)(ompd_address_space_context_t *context, const void *input,
                              int unit_size, int count, void *output);
  ompd_rc_t (*host_to_target)(ompd_address_space_context_t *context, const void *input,
                              int unit_size, int count, void *output);
  ompd_rc_t (*get_thread_context_for_osthread)(ompd_address_space_context_t *context,
                                               ompd_osthread_kind_t kind,
                                               ompd_size_t sizeof_osthread, const void *osthread,
                                               ompd_thread_context_t **thread);
  ompd_rc_t (*get_address_space_context_for_thread)(ompd_thread_context_t *thread,
                                                    ompd_address_space_context_t **context);
} ompd_callbacks_t;

/* In the runtime: the names of libraries, and where it passes. */
extern const char **ompd_dll_locations;
void ompd_dll_locations_valid(void);
void omp_debug_enable(void);
void ompd_bp_parallel_begin(void);
void ompd_bp_parallel_end(void);
void ompd_bp_task_begin(void);
void ompd_bp_task_end(void);

/* Each: X(name, (arguments)). All return ompd_rc_t. */
#define FOREACH_OMPD_FN(X) \
  X(ompd_get_version, (int *version)) \
  X(ompd_get_version_string, (const char **string)) \
  X(ompd_initialize, (const ompd_callbacks_t *callbacks)) \
  X(ompd_finalize, (void)) \
  X(ompd_process_initialize, \
    (ompd_address_space_context_t *context, ompd_address_space_handle_t **handle)) \
  X(ompd_release_address_space_handle, (ompd_address_space_handle_t *handle)) \
  X(ompd_get_display_control_vars, \
    (ompd_address_space_handle_t *handle, const char *const **control_var_values)) \
  X(ompd_release_display_control_vars, (const char *const *control_var_values)) \
  X(ompd_get_threads, (ompd_address_space_handle_t *handle, \
                       ompd_thread_handle_t * **thread_handle_vector, int *num_handles)) \
  X(ompd_get_thread_in_parallel, \
    (ompd_parallel_handle_t *parallel_handle, ompd_thread_handle_t * **thread_handle_vector, \
     int *num_handles)) \
  X(ompd_get_master_thread_in_parallel, \
    (ompd_parallel_handle_t *parallel_handle, ompd_thread_handle_t **thread_handle)) \
  X(ompd_release_thread_handle, (ompd_thread_handle_t *thread_handle)) \
  X(ompd_thread_handle_compare, (ompd_thread_handle_t *thread_handle_1, \
                                 ompd_thread_handle_t *thread_handle_2, int *cmp_value)) \
  X(ompd_get_thread_handle_string_id, (ompd_thread_handle_t *thread_handle, char **string_id)) \
  X(ompd_get_top_parallel_region, \
    (ompd_thread_handle_t *thread_handle, ompd_parallel_handle_t **parallel_handle)) \
  X(ompd_get_current_parallel_handle, \
    (ompd_thread_handle_t *thread_handle, ompd_parallel_handle_t **parallel_handle)) \
  X(ompd_get_enclosing_parallel_handle, (ompd_parallel_handle_t *parallel_handle, \
                                         ompd_parallel_handle_t **enclosing_parallel_handle)) \
  X(ompd_get_task_parallel_handle, \
    (ompd_task_handle_t *task_handle, ompd_parallel_handle_t **task_parallel_handle)) \
  X(ompd_release_parallel_handle, (ompd_parallel_handle_t *parallel_handle)) \
  X(ompd_parallel_handle_compare, (ompd_parallel_handle_t *parallel_handle_1, \
                                   ompd_parallel_handle_t *parallel_handle_2, int *cmp_value)) \
  X(ompd_get_parallel_handle_string_id, \
    (ompd_parallel_handle_t *parallel_handle, char **string_id)) \
  X(ompd_get_top_task_region, \
    (ompd_thread_handle_t *thread_handle, ompd_task_handle_t **task_handle)) \
  X(ompd_get_current_task_handle, \
    (ompd_thread_handle_t *thread_handle, ompd_task_handle_t **task_handle)) \
  X(ompd_get_generating_ancestor_task_region, \
    (ompd_task_handle_t *task_handle, ompd_task_handle_t **parent_task_handle)) \
  X(ompd_get_scheduling_ancestor_task_region, \
    (ompd_task_handle_t *task_handle, ompd_task_handle_t **parent_task_handle)) \
  X(ompd_get_implicit_task_in_parallel, \
    (ompd_parallel_handle_t *parallel_handle, ompd_task_handle_t * **task_handle_vector, \
     int *num_handles)) \
  X(ompd_release_task_handle, (ompd_task_handle_t *task_handle)) \
  X(ompd_task_handle_compare, \
    (ompd_task_handle_t *task_handle_1, ompd_task_handle_t *task_handle_2, int *cmp_value)) \
  X(ompd_get_task_handle_string_id, (ompd_task_handle_t *task_handle, char **string_id)) \
  X(ompd_get_num_threads, (ompd_parallel_handle_t *parallel_handle, ompd_tword_t *val)) \
  X(ompd_get_level, (ompd_task_handle_t *task_handle, ompd_tword_t *val)) \
  X(ompd_get_active_level, (ompd_task_handle_t *task_handle, ompd_tword_t *val)) \
  X(ompd_get_parallel_function, \
    (ompd_parallel_handle_t *parallel_handle, ompd_address_t *entry_point)) \
  X(ompd_get_num_procs, (ompd_address_space_handle_t *handle, ompd_tword_t *val)) \
  X(ompd_get_thread_limit, (ompd_address_space_handle_t *handle, ompd_tword_t *val)) \
  X(ompd_get_task_function, (ompd_task_handle_t *task_handle, ompd_address_t *entry_point)) \
  X(ompd_get_max_threads, (const ompd_task_handle_t *task_handle, ompd_tword_t *val)) \
  X(ompd_get_thread_num, (const ompd_thread_handle_t *thread_handle, ompd_tword_t *val)) \
  X(ompd_in_parallel, (const ompd_task_handle_t *task_handle, ompd_tword_t *val)) \
  X(ompd_in_final, (const ompd_task_handle_t *task_handle, ompd_tword_t *val)) \
  X(ompd_get_dynamic, (const ompd_task_handle_t *task_handle, ompd_tword_t *val)) \
  X(ompd_get_nested, (const ompd_task_handle_t *task_handle, ompd_tword_t *val)) \
  X(ompd_get_max_active_levels, (const ompd_thread_handle_t *thread_handle, ompd_tword_t *val)) \
  X(ompd_get_schedule, \
    (ompd_task_handle_t *task_handle, ompd_sched_t *kind, ompd_tword_t *modifier)) \
  X(ompd_get_proc_bind, (ompd_task_handle_t *task_handle, ompd_proc_bind_t *bind)) \
  X(ompd_is_implicit, (ompd_task_handle_t *task_handle, ompd_tword_t *val)) \
  X(ompd_get_task_frame, (ompd_task_handle_t *task_handle, ompd_address_t *exit_runtime_addr, \
                          ompd_address_t *reenter_runtime_addr)) \
  X(ompd_get_thread_handle, \
    (ompd_address_space_handle_t *handle, ompd_osthread_kind_t kind, ompd_size_t sizeof_osthread, \
     const void *osthread, ompd_thread_handle_t **thread_handle)) \
  X(ompd_get_osthread, (ompd_thread_handle_t *thread_handle, ompd_osthread_kind_t kind, \
                        ompd_size_t sizeof_osthread, void *osthread)) \
  X(ompd_get_state, \
    (ompd_thread_handle_t *thread_handle, ompd_state_t *state, ompd_wait_id_t *wait_id)) \
  X(ompd_get_icv_from_scope, (void *handle, int scope, uint64_t icv_id, ompd_tword_t *icv_value)) \
  X(ompd_enumerate_icvs, \
    (ompd_address_space_handle_t *handle, uint64_t current, uint64_t *next_id, \
     const char **next_icv_name, int *next_scope, int *more))

#define OMPD_DECLARE(name, arguments) ompd_rc_t name arguments;
FOREACH_OMPD_FN(OMPD_DECLARE)
#undef OMPD_DECLARE

#ifdef __cplusplus
}
#endif
#endif
