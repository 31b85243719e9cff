/*
 * OMPT of April 2013 (version 1). A tool defines int ompt_initialize(void), which returns 1 to run,
 * and calls the functions below, which the runtime exports.
 */
#ifndef OMPT_2013_H
#define OMPT_2013_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef union { uint64_t value; void *ptr; } ompt_data_t;
typedef uint64_t ompt_parallel_id_t;
typedef uint64_t ompt_wait_id_t;
typedef struct { void *exit_runtime_frame; void *reenter_runtime_frame; } ompt_frame_t;

typedef enum {
  ompt_event_parallel_create = 1,
  ompt_event_parallel_exit = 2,
  ompt_event_task_create = 3,
  ompt_event_task_exit = 4,
  ompt_event_thread_create = 5,
  ompt_event_thread_exit = 6,
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
  ompt_event_implicit_task_create = 0x16,
  ompt_event_implicit_task_exit = 0x17,
  ompt_event_task_switch = 0x18,
  ompt_event_loop_begin = 0x19,
  ompt_event_loop_end = 0x1a,
  ompt_event_section_begin = 0x1b,
  ompt_event_section_end = 0x1c,
  ompt_event_single_in_block_begin = 0x1d,
  ompt_event_single_in_block_end = 0x1e,
  ompt_event_single_others_begin = 0x1f,
  ompt_event_single_others_end = 0x20,
  ompt_event_master_begin = 0x21,
  ompt_event_master_end = 0x22,
  ompt_event_barrier_begin = 0x23,
  ompt_event_barrier_end = 0x24,
  ompt_event_taskwait_begin = 0x25,
  ompt_event_taskwait_end = 0x26,
  ompt_event_taskgroup_begin = 0x27,
  ompt_event_taskgroup_end = 0x28,
  ompt_event_release_nest_lock_prev = 0x29,
  ompt_event_wait_lock = 0x2a,
  ompt_event_wait_nest_lock = 0x2b,
  ompt_event_wait_critical = 0x2c,
  ompt_event_wait_atomic = 0x2d,
  ompt_event_wait_ordered = 0x2e,
  ompt_event_acquired_lock = 0x2f,
  ompt_event_acquired_nest_lock_first = 0x30,
  ompt_event_acquired_nest_lock_next = 0x31,
  ompt_event_acquired_critical = 0x32,
  ompt_event_acquired_atomic = 0x33,
  ompt_event_acquired_ordered = 0x34,
  ompt_event_init_lock = 0x35,
  ompt_event_init_nest_lock = 0x36,
  ompt_event_destroy_lock = 0x37,
  ompt_event_destroy_nest_lock = 0x38,
  ompt_event_flush = 0x39
} ompt_event_t;

typedef enum {
  ompt_state_work_serial = 0,
  ompt_state_work_parallel = 1,
  ompt_state_work_reduction = 2,
  ompt_state_idle = 0x10,
  ompt_state_overhead = 0x20,
  ompt_state_wait_barrier = 0x40,
  ompt_state_wait_taskwait = 0x41,
  ompt_state_wait_taskgroup = 0x42,
  ompt_state_wait_lock = 0x50,
  ompt_state_wait_nest_lock = 0x51,
  ompt_state_wait_critical = 0x52,
  ompt_state_wait_atomic = 0x53,
  ompt_state_wait_ordered = 0x54,
  ompt_state_undefined = 0x60,
  ompt_state_first = 0x61,
  ompt_state_last = 0x62
} ompt_state_t;

typedef void (*ompt_callback_t)(void);
typedef void (*ompt_thread_callback_t)(ompt_data_t *thread_data);
typedef void (*ompt_parallel_callback_t)(ompt_data_t *task_data, ompt_parallel_id_t parallel_id);
typedef void (*ompt_new_parallel_callback_t)(ompt_data_t *parent_task_data,
                                             ompt_frame_t *parent_task_frame,
                                             ompt_parallel_id_t parallel_id);
typedef void (*ompt_task_callback_t)(ompt_data_t *task_data);
typedef void (*ompt_task_switch_callback_t)(ompt_data_t *suspended_task_data,
                                            ompt_data_t *resumed_task_data);
typedef void (*ompt_new_task_callback_t)(ompt_data_t *parent_task_data,
                                         ompt_frame_t *parent_task_frame,
                                         ompt_data_t *new_task_data);
typedef void (*ompt_wait_callback_t)(ompt_wait_id_t wait_id);
typedef void (*ompt_control_callback_t)(uint64_t command, uint64_t modifier);

/* 0: may occur, no callback; 1: never occurs; 2: callback when convenient; 3: always */
int ompt_set_callback(ompt_event_t event, ompt_callback_t callback);
int ompt_get_callback(ompt_event_t event, ompt_callback_t *callback);
int ompt_enumerate_state(int current_state, int *next_state, const char **next_state_name);
ompt_data_t *ompt_get_thread_data(void);
ompt_state_t ompt_get_state(ompt_wait_id_t *wait_id);
ompt_parallel_id_t ompt_get_parallel_id(int ancestor_level);
void *ompt_get_parallel_function(int ancestor_level);
ompt_data_t *ompt_get_task_data(int ancestor_level);
ompt_frame_t *ompt_get_task_frame(int ancestor_level);
void *ompt_get_task_function(int ancestor_level);
int ompt_get_ompt_version(void);
int ompt_get_runtime_version(char *buffer, int length);
void ompt_control(uint64_t command, uint64_t modifier);
int ompt_initialize(void);

#ifdef __cplusplus
}
#endif

#endif
