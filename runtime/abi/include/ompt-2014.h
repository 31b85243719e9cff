/*
 * OMPT as LLVM's runtime had it from 2015 to 2017. A tool defines ompt_initialize_t ompt_tool(void)
 * and gets everything through the lookup function that its initializer is handed.
 */
#ifndef OMPT_2014_H
#define OMPT_2014_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t ompt_thread_id_t;
typedef uint64_t ompt_task_id_t;
typedef uint64_t ompt_parallel_id_t;
typedef uint64_t ompt_wait_id_t;
typedef struct { void *exit_runtime_frame; void *reenter_runtime_frame; } ompt_frame_t;

typedef enum {
  ompt_event_parallel_begin = 1,
  ompt_event_parallel_end = 2,
  ompt_event_task_begin = 3,
  ompt_event_task_end = 4,
  ompt_event_thread_begin = 5,
  ompt_event_thread_end = 6,
  ompt_event_control = 7,
  ompt_event_runtime_shutdown = 8,
  ompt_event_idle_begin = 9,
  ompt_event_idle_end = 10,
  ompt_event_wait_barrier_begin = 11,
  ompt_event_wait_barrier_end = 12,
  ompt_event_wait_taskwait_begin = 13,
  ompt_event_wait_taskwait_end = 14,
  ompt_event_wait_taskgroup_begin = 15,
  ompt_event_wait_taskgroup_end = 0x10,
  ompt_event_release_lock = 0x11,
  ompt_event_release_nest_lock_last = 0x12,
  ompt_event_release_critical = 0x13,
  ompt_event_release_atomic = 0x14,
  ompt_event_release_ordered = 0x15,
  ompt_event_implicit_task_begin = 0x16,
  ompt_event_implicit_task_end = 0x17,
  ompt_event_initial_task_begin = 0x18,
  ompt_event_initial_task_end = 0x19,
  ompt_event_task_switch = 0x1a,
  ompt_event_loop_begin = 0x1b,
  ompt_event_loop_end = 0x1c,
  ompt_event_sections_begin = 0x1d,
  ompt_event_sections_end = 0x1e,
  ompt_event_single_in_block_begin = 0x1f,
  ompt_event_single_in_block_end = 0x20,
  ompt_event_single_others_begin = 0x21,
  ompt_event_single_others_end = 0x22,
  ompt_event_workshare_begin = 0x23,
  ompt_event_workshare_end = 0x24,
  ompt_event_master_begin = 0x25,
  ompt_event_master_end = 0x26,
  ompt_event_barrier_begin = 0x27,
  ompt_event_barrier_end = 0x28,
  ompt_event_taskwait_begin = 0x29,
  ompt_event_taskwait_end = 0x2a,
  ompt_event_taskgroup_begin = 0x2b,
  ompt_event_taskgroup_end = 0x2c,
  ompt_event_release_nest_lock_prev = 0x2d,
  ompt_event_wait_lock = 0x2e,
  ompt_event_wait_nest_lock = 0x2f,
  ompt_event_wait_critical = 0x30,
  ompt_event_wait_atomic = 0x31,
  ompt_event_wait_ordered = 0x32,
  ompt_event_acquired_lock = 0x33,
  ompt_event_acquired_nest_lock_first = 0x34,
  ompt_event_acquired_nest_lock_next = 0x35,
  ompt_event_acquired_critical = 0x36,
  ompt_event_acquired_atomic = 0x37,
  ompt_event_acquired_ordered = 0x38,
  ompt_event_init_lock = 0x39,
  ompt_event_init_nest_lock = 0x3a,
  ompt_event_destroy_lock = 0x3b,
  ompt_event_destroy_nest_lock = 0x3c,
  ompt_event_flush = 0x3d
} ompt_event_t;

typedef enum {
  ompt_state_work_serial = 0,
  ompt_state_work_parallel = 1,
  ompt_state_work_reduction = 2,
  ompt_state_idle = 0x10,
  ompt_state_overhead = 0x20,
  ompt_state_wait_barrier = 0x40,
  ompt_state_wait_barrier_implicit = 0x41,
  ompt_state_wait_barrier_explicit = 0x42,
  ompt_state_wait_taskwait = 0x50,
  ompt_state_wait_taskgroup = 0x51,
  ompt_state_wait_lock = 0x60,
  ompt_state_wait_nest_lock = 0x61,
  ompt_state_wait_critical = 0x62,
  ompt_state_wait_atomic = 0x63,
  ompt_state_wait_ordered = 0x64,
  ompt_state_undefined = 0x70,
  ompt_state_first = 0x71
} ompt_state_t;

typedef enum {
  ompt_thread_initial = 1,
  ompt_thread_worker = 2,
  ompt_thread_other = 3
} ompt_thread_type_t;
typedef enum { ompt_invoker_program = 0, ompt_invoker_runtime = 1 } ompt_invoker_t;

typedef void (*ompt_callback_t)(void);
typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *);
typedef void (*ompt_thread_callback_t)(ompt_thread_id_t thread_id);
typedef void (*ompt_thread_type_callback_t)(ompt_thread_type_t thread_type,
                                            ompt_thread_id_t thread_id);
typedef void (*ompt_wait_callback_t)(ompt_wait_id_t wait_id);
typedef void (*ompt_parallel_callback_t)(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id);
typedef void (*ompt_new_workshare_callback_t)(ompt_parallel_id_t parallel_id,
                                              ompt_task_id_t parent_task_id,
                                              void *workshare_function);
typedef void (*ompt_new_parallel_callback_t)(ompt_task_id_t parent_task_id,
                                             ompt_frame_t *parent_task_frame,
                                             ompt_parallel_id_t parallel_id,
                                             uint32_t requested_team_size, void *parallel_function,
                                             ompt_invoker_t invoker);
typedef void (*ompt_end_parallel_callback_t)(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id,
                                             ompt_invoker_t invoker);
typedef void (*ompt_task_callback_t)(ompt_task_id_t task_id);
typedef void (*ompt_task_switch_callback_t)(ompt_task_id_t suspended_task_id,
                                            ompt_task_id_t resumed_task_id);
typedef void (*ompt_new_task_callback_t)(ompt_task_id_t parent_task_id,
                                         ompt_frame_t *parent_task_frame,
                                         ompt_task_id_t new_task_id, void *task_function);
typedef void (*ompt_control_callback_t)(uint64_t command, uint64_t modifier);

typedef int (*ompt_set_callback_t)(ompt_event_t event, ompt_callback_t callback);
typedef int (*ompt_get_callback_t)(ompt_event_t event, ompt_callback_t *callback);
typedef int (*ompt_enumerate_state_t)(int current_state, int *next_state,
                                      const char **next_state_name);
typedef ompt_thread_id_t (*ompt_get_thread_id_t)(void);
typedef ompt_state_t (*ompt_get_state_t)(ompt_wait_id_t *wait_id);
typedef void *(*ompt_get_idle_frame_t)(void);
typedef ompt_parallel_id_t (*ompt_get_parallel_id_t)(int ancestor_level);
typedef int (*ompt_get_parallel_team_size_t)(int ancestor_level);
typedef ompt_task_id_t (*ompt_get_task_id_t)(int depth);
typedef ompt_frame_t *(*ompt_get_task_frame_t)(int depth);

typedef void (*ompt_initialize_t)(ompt_function_lookup_t lookup, const char *runtime_version,
                                  unsigned int ompt_version);
ompt_initialize_t ompt_tool(void);
void ompt_control(uint64_t command, uint64_t modifier);

#ifdef __cplusplus
}
#endif

#endif
