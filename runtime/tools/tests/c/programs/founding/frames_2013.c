/*
 * Frames (2013, 4.4): the exit frame is NULL until the task first leaves the runtime, is set once,
 * and stays to the task's end; by Table 1 the two words say where a task is.
 */
#include "says.h"
#include <ompt-2013.h>

static __thread void *seen;
static __thread int began;

static void implicit_begins(ompt_data_t *task, ompt_parallel_id_t region)
{
  ompt_frame_t *frame = ompt_get_task_frame(0);
  (void)region;
  task->value = 5;
  began = 1;
  seen = 0;
  says(!frame->exit_runtime_frame && !frame->reenter_runtime_frame, "a task that has not begun");
}
static void at(const char *where)
{
  ompt_frame_t *frame = ompt_get_task_frame(0);
  says(seen && frame->exit_runtime_frame == seen, "%s: the exit frame that was set", where);
  says(frame->reenter_runtime_frame != 0, "%s: the task is in the runtime", where);
}
static void barrier_begins(ompt_data_t *task, ompt_parallel_id_t region)
{
  (void)task; (void)region;
  at("barrier_begin");
}
static void barrier_ends(ompt_data_t *task, ompt_parallel_id_t region)
{
  (void)task; (void)region;
  at("barrier_end");
}
static void implicit_ends(ompt_data_t *task, ompt_parallel_id_t region)
{
  (void)task; (void)region;
  at("implicit_task_exit");
  began = 0;
}
int ompt_initialize(void)
{
  ompt_set_callback(ompt_event_implicit_task_create, (ompt_callback_t)implicit_begins);
  ompt_set_callback(ompt_event_implicit_task_exit, (ompt_callback_t)implicit_ends);
  ompt_set_callback(ompt_event_barrier_begin, (ompt_callback_t)barrier_begins);
  ompt_set_callback(ompt_event_barrier_end, (ompt_callback_t)barrier_ends);
  return 1;
}

/* In the program's code: where the runtime's frame is that called it. */
__attribute__((noinline)) static void look(void)
{
  ompt_frame_t *frame = ompt_get_task_frame(0);
  says(frame->exit_runtime_frame && !frame->reenter_runtime_frame, "a task in the program's code");
  says(!seen || seen == frame->exit_runtime_frame, "the exit frame is set once");
  seen = frame->exit_runtime_frame;
}
/* A task that a member executes in the barrier at the region's end: that barrier's task is in the
   runtime, and no frame of its own lies between the two. */
static void in_task(void)
{
  ompt_frame_t *own = ompt_get_task_frame(0);
  says(own->exit_runtime_frame && !own->reenter_runtime_frame, "an explicit task");
}

int main(void)
{
  for (int size = 1; size <= 3; size++) {
#pragma omp parallel num_threads(size)
    {
      look();
#pragma omp barrier
      look();
      for (int i = 0; i < 3; i++) {
#pragma omp task
        in_task();
      }
    }
  }
#pragma omp parallel if(0)
  {
    look();
  }
  ompt_frame_t *frame = ompt_get_task_frame(0);
  says(!frame->exit_runtime_frame && !frame->reenter_runtime_frame, "the initial task");
  says(began == 0, "every implicit task has ended");
  return 0;
}
