/*
 * ompd-2013.h: OMPD of April 2013. What the text uses and never defines is what the text makes of
 * it.
 *
 * Part of Omphalos; written for it from the names and numbers of that text.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A debugger reads ompt_debugger_plugin in the program, looks for a library of that base name in
 * LD_LIBRARY_PATH and loads it. The DEBUGGER defines ompd_initialize(), which the library calls,
 * when it is loaded, or else in the first call, and fills in the table.
 */
#ifndef OMPHALOS_OMPD_2013_H
#define OMPHALOS_OMPD_2013_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t ompd_taddr_t;
typedef int64_t ompd_tword_t;
typedef uint64_t ompd_thread_handle_t;
typedef uint64_t ompd_parallel_handle_t;
typedef uint64_t ompd_task_handle_t;
typedef uint64_t ompd_type_handle_t;
typedef uint64_t ompd_ttype_handle_t;
typedef uint64_t ompd_parallel_id_t;
typedef int ompd_enable_setting_t;
typedef struct ompd_context_s ompd_context_t;

typedef enum { ompd_osthread_pthread, ompd_osthread_lwp } ompd_osthread_kind_t;
typedef struct {
  ompd_osthread_kind_t kind;
  union {
    int64_t pthread;
    int64_t lwp;
  } data;
} ompd_osthread_t;

typedef enum {
  ompd_rc_ok = 0,
  ompd_rc_unavailable = 1,
  ompd_rc_stale_handle = 2,
  ompt_rc_bad_input = 3,
  ompt_rc_error = 4,
  ompt_rc_unsupported = 5,
  ompd_rc_needs_state_tracking = 6
} ompd_rc_t;
typedef ompd_rc_t ompt_rc_t;

typedef struct {
  int sizeof_char, sizeof_short, sizeof_int, sizeof_long, sizeof_long_long, sizeof_pointer;
} ompd_target_type_sizes_t;

typedef struct {
  ompd_taddr_t parallel_pre_execute;
  ompd_taddr_t parallel_post_execute;
  ompd_taddr_t task_pre_execute;
  ompd_taddr_t task_post_execute;
} ompd_breakpoints_t;

typedef ompd_rc_t (*ompd_tmemory_access_fn_t)(ompd_context_t *context, ompd_taddr_t *addr,
                                              void *buffer, ompd_tword_t bufsize);

typedef struct {
  ompd_rc_t (*d_alloc_memory)(ompd_context_t *context, size_t bytes, void **ptr);
  ompd_rc_t (*d_free_memory)(ompd_context_t *context, void *ptr);
  ompd_rc_t (*get_error_string)(ompd_context_t *context, int error_code, const char **string);
  ompd_rc_t (*print_string)(ompd_context_t *context, const char *string);
  ompd_rc_t (*t_sizeof_prim_type)(ompd_context_t *context, ompd_target_type_sizes_t *sizes);
  ompd_rc_t (*t_symbol_addr_lookup)(ompd_context_t *context, const char *symbol_name,
                                    ompd_taddr_t *symbol_addr);
  ompd_rc_t (*t_type_lookup)(ompd_context_t *context, const char *type_name,
                             ompd_ttype_handle_t *ttype_handle);
  ompd_rc_t (*t_type_sizeof)(ompd_context_t *context, ompd_ttype_handle_t *ttype_handle,
                             ompd_tword_t *type_size);
  ompd_rc_t (*t_type_field_offset)(ompd_context_t *context, ompd_ttype_handle_t *ttype_handle,
                                   const char *field_name, ompd_tword_t *field_offset);
  ompd_tmemory_access_fn_t t_read_memory;
  ompd_tmemory_access_fn_t t_write_memory;
  ompd_rc_t (*target_to_host)(ompd_context_t *context, const void *input, void *output, int nbytes);
} ompd_callbacks_t;

/* In the debugger. */
ompt_rc_t ompd_initialize(ompd_callbacks_t *data);

/* In the runtime. */
extern const char *ompt_debugger_plugin;
void ompt_enable_complete(void);

/* Each: X(name, (arguments)). All return ompd_rc_t; ompd_enable() an int. omp_sched_t and
 * omp_proc_bind_t are int. */
#define OMPD_OF_TASK(X, name) \
  X(name, (ompd_context_t *context, ompd_task_handle_t task_handle, int *val))
#define OMPD_OF_PARALLEL(X, name) \
  X(name, (ompd_context_t *context, ompd_parallel_handle_t parallel_handle, ompd_tword_t *val))
#define FOREACH_OMPD_FN(X) \
  X(ompd_get_threads, \
    (ompd_context_t *context, ompd_thread_handle_t **thread_handle_array, int *num_handles)) \
  X(ompd_get_thread_in_parallel, \
    (ompd_context_t *context, ompd_parallel_handle_t parallel_handle, \
     ompd_thread_handle_t **thread_handle_array, int *num_handles)) \
  X(ompd_get_innermost_parallel_region, \
    (ompd_context_t *context, ompd_thread_handle_t thread_handle, \
     ompd_parallel_handle_t *parallel_handle)) \
  X(ompd_get_top_parallel_region, (ompd_context_t *context, ompd_thread_handle_t thread_handle, \
                                   ompd_parallel_handle_t *parallel_handle)) \
  X(ompd_get_enclosing_parallel_handle, \
    (ompd_context_t *context, ompd_parallel_handle_t parallel_handle, \
     ompd_parallel_handle_t *enclosing_parallel_handle)) \
  X(ompd_get_ancestor_parallel_handle, \
    (ompd_context_t *context, ompd_parallel_handle_t parallel_handle, \
     ompd_parallel_handle_t *enclosing_parallel_handle)) \
  X(ompd_get_top_task_region, (ompd_context_t *context, ompd_thread_handle_t thread_handle, \
                               ompd_task_handle_t *task_handle)) \
  X(ompd_get_ancestor_task_handle, (ompd_context_t *context, ompd_task_handle_t task_handle, \
                                    ompd_task_handle_t *parent_task_handle)) \
  X(ompd_get_implicit_task_in_parallel, \
    (ompd_context_t *context, ompd_parallel_handle_t parallel_handle, \
     ompd_task_handle_t **task_handle_array, int *num_handles)) \
  X(ompd_get_num_procs, (ompd_tword_t *val)) \
  X(ompd_get_thread_limit, (ompd_tword_t *val)) \
  OMPD_OF_PARALLEL(X, ompd_get_num_threads) \
  OMPD_OF_PARALLEL(X, ompd_get_level) \
  OMPD_OF_PARALLEL(X, ompd_get_active_level) \
  X(ompd_get_parallel_id, \
    (ompd_context_t *context, ompd_parallel_handle_t parallel_handle, ompd_parallel_id_t *id)) \
  X(ompd_get_parallel_function, (ompd_context_t *context, ompd_parallel_handle_t parallel_handle, \
                                 ompd_taddr_t *parallel_addr)) \
  X(ompd_get_thread_handle, \
    (ompd_context_t *context, ompd_osthread_t *os_thread, ompd_thread_handle_t *thread_handle)) \
  X(ompd_get_osthread, \
    (ompd_context_t *context, ompd_thread_handle_t thread_handle, ompd_osthread_t *os_thread)) \
  X(ompd_get_state, \
    (ompd_context_t *context, ompd_thread_handle_t thread_handle, int *state, uint64_t *wait_id)) \
  OMPD_OF_TASK(X, ompd_get_max_threads) \
  OMPD_OF_TASK(X, ompd_get_thread_num) \
  OMPD_OF_TASK(X, ompd_in_parallel) \
  OMPD_OF_TASK(X, ompd_in_final) \
  OMPD_OF_TASK(X, ompd_get_dynamic) \
  OMPD_OF_TASK(X, ompd_get_nested) \
  OMPD_OF_TASK(X, ompd_get_max_active_levels) \
  X(ompd_get_schedule, \
    (ompd_context_t *context, ompd_task_handle_t task_handle, int *kind, int *modifier)) \
  X(ompd_get_proc_bind, (ompd_context_t *context, ompd_task_handle_t task_handle, int *bind)) \
  X(ompd_get_task_frame, \
    (ompd_context_t *context, ompd_task_handle_t task_handle, void *sp_exit, void *sp_reentry)) \
  X(ompd_get_task_function, \
    (ompd_context_t *context, ompd_task_handle_t task_handle, ompd_taddr_t *task_addr)) \
  X(ompd_get_version_string, (const char **string)) \
  X(ompd_get_version_compatibility, (int *val)) \
  X(ompd_get_error_string, (int errcode, const char **string)) \
  X(ompd_get_breakpoints, (ompd_context_t *context, ompd_breakpoints_t *bkpt_locations)) \
  X(ompd_display_control_vars, (const char **control_var_values))

#define OMPD_DECLARE(name, arguments) ompd_rc_t name arguments;
FOREACH_OMPD_FN(OMPD_DECLARE)
#undef OMPD_DECLARE
int ompd_enable(ompd_enable_setting_t setting);

#ifdef __cplusplus
}
#endif
#endif
