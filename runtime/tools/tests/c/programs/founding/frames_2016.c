/*
 * Frames (2016, structure to support classification of stack frames): the enter frame is the frame
 * pointer of the user's function that invokes the runtime, for implicit, explicit and target tasks.
 * To be compiled with frame pointers.
 */
#include "says.h"
#include <ompt-2016.h>

static void *mine;
static ompt_get_task_info_t get_task_info;

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              uint32_t requested, ompt_invoker_t invoker, const void *ra)
{
  (void)task; (void)region; (void)requested; (void)invoker; (void)ra;
  says(frame->enter_frame == mine, "a region's enter frame");
}
static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
                           ompt_task_type_t type, ompt_bool_t dependent, const void *ra)
{
  (void)parent; (void)task; (void)type; (void)dependent; (void)ra;
  says(frame->enter_frame == mine, "a task's enter frame");
}
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  (void)runtime; (void)version;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  lookup("ompt_get_thread_data");
  set(ompt_event_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_event_task_create, (ompt_callback_t)on_task_create);
}
ompt_initialize_fn_t *ompt_tool(void) { return initialize; }

/* Inside what a task made: that task is in the runtime, which the function of this frame called. */
__attribute__((noinline)) static void inside(const char *what, void *caller)
{
  ompt_task_type_t type;
  ompt_data_t *task, *region;
  ompt_frame_t *frame = 0;
  uint32_t num;
  int there = get_task_info(1, &type, &task, &frame, &region, &num);
  says(there && frame->enter_frame == caller, "the encountering task's enter frame in %s", what);
}

__attribute__((noinline)) static void in_region(void)
{
  mine = __builtin_frame_address(0);
#pragma omp task
  __asm__ volatile("");
#pragma omp task if(0)
  inside("an undeferred task", mine);
#pragma omp taskwait
}

int main(void)
{
  void *here = mine = __builtin_frame_address(0);
#pragma omp parallel num_threads(1)
  {
    inside("a region", here);
    in_region();
  }
  mine = here;
#pragma omp parallel num_threads(2)
  inside("a region of two", here);
#ifndef __clang__
  /* Without devices clang's code calls the region itself. */
#pragma omp target
  inside("a target region", here);
#pragma omp target map(tofrom : mine)
  inside("a target region with a map", here);
#endif
  return 0;
}
