/* The functions that the runtime gives a tool. */
#ifndef INQUIRIES_H
#define INQUIRIES_H
#include "lines.h"

static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_task_memory_t get_task_memory;
static ompt_get_target_info_t get_target_info;
static ompt_get_unique_id_t get_unique_id;
static ompt_get_num_procs_t get_num_procs;
static ompt_get_num_places_t get_num_places;
static ompt_get_place_proc_ids_t get_place_proc_ids;
static ompt_get_place_num_t get_place_num;
static ompt_get_partition_place_nums_t get_partition_place_nums;
static ompt_get_proc_id_t get_proc_id;
static ompt_get_num_devices_t get_num_devices;
static ompt_enumerate_states_t enumerate_states;
static ompt_enumerate_mutex_impls_t enumerate_mutex_impls;
static ompt_finalize_tool_t finalize_tool;

#define FIND(name)                                                                                 \
  name = (ompt_##name##_t)lookup("ompt_" #name);                                                   \
  if (!name) say("MISSING ompt_" #name)

static void find_inquiries(ompt_function_lookup_t lookup)
{
  FIND(set_callback);
  FIND(get_callback);
  FIND(get_thread_data);
  FIND(get_state);
  FIND(get_parallel_info);
  FIND(get_task_info);
  FIND(get_task_memory);
  FIND(get_target_info);
  FIND(get_unique_id);
  FIND(get_num_procs);
  FIND(get_num_places);
  FIND(get_place_proc_ids);
  FIND(get_place_num);
  FIND(get_partition_place_nums);
  FIND(get_proc_id);
  FIND(get_num_devices);
  FIND(enumerate_states);
  FIND(enumerate_mutex_impls);
  FIND(finalize_tool);
}

/* What every inquiry answers here. */
static void ask_everything(void)
{
  ompt_wait_id_t wait = 77;
  int state = get_state(&wait);
  say("state value=%x wait=%llx", state, (unsigned long long)wait);
  say("thread_data value=%llu", seen(get_thread_data()));
  for (int level = 0;; level++) {
    ompt_data_t *region = NULL;
    int size = -1, result = get_parallel_info(level, &region, &size);
    say("parallel_info level=%d result=%d region=%llu size=%d", level, result, seen(region), size);
    if (result == 0) break;
  }
  for (int level = 0;; level++) {
    ompt_data_t *task = NULL, *region = NULL;
    ompt_frame_t *frame = NULL;
    int flags = -1, number = -1;
    int result = get_task_info(level, &flags, &task, &frame, &region, &number);
    say("task_info level=%d result=%d flags=%x task=%llu region=%llu number=%d exit=%llx "
        "enter=%llx",
        level, result, flags, seen(task), seen(region), number, frame ? WORD(frame->exit_frame) : 0,
        frame ? WORD(frame->enter_frame) : 0);
    if (result == 0) break;
  }
  get_parallel_info(0, NULL, NULL);
  get_task_info(0, NULL, NULL, NULL, NULL, NULL);
  say("negative parallel=%d task=%d", get_parallel_info(-1, NULL, NULL),
      get_task_info(-1, NULL, NULL, NULL, NULL, NULL));
  void *memory = NULL;
  size_t bytes = 0;
  int more = get_task_memory(&memory, &bytes, 0);
  say("task_memory more=%d bytes=%zu", more, bytes);
  say("target_info result=%d devices=%d", get_target_info(NULL, NULL, NULL), get_num_devices());
  uint64_t one = get_unique_id(), two = get_unique_id();
  say("unique_id fresh=%d", one != two && one != 0 && two != 0);
  int ids[3] = {-9, -9, -9};
  int needed = get_place_proc_ids(0, 2, ids);
  say("places procs=%d places=%d place=%d needed=%d ids=%d,%d,%d proc=%d", get_num_procs(),
      get_num_places(), get_place_num(), needed, ids[0], ids[1], ids[2], get_proc_id());
  int nums[2] = {-9, -9};
  needed = get_partition_place_nums(1, nums);
  say("partition needed=%d nums=%d,%d null=%d", needed, nums[0], nums[1],
      get_partition_place_nums(0, NULL));
}

#endif
