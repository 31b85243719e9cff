/* Table 1: which of the two frames a task has where it is, and that they lie in the stack as the
 * text draws them. */
#include "tool.h"

static char *main_frame;

/* The stack grows down: a frame that was made earlier has the higher address. */
static void user_code(int is_initial, const char *where)
{
  ompt_frame_t *frame = ompt_get_task_frame(0);
  char here;
  RULE(frame != NULL, "%s", where);
  RULE((frame->exit_runtime_frame == NULL) == is_initial, "%s: exit", where);
  RULE(frame->reenter_runtime_frame == NULL, "%s: reentry", where);
  if (!is_initial) RULE((char *)frame->exit_runtime_frame > &here, "%s: below the code", where);
}
/* A task that made the one which runs: it is in the runtime. */
static void in_runtime(int level, int is_initial, const char *where)
{
  ompt_frame_t *frame = ompt_get_task_frame(level), *inner = ompt_get_task_frame(level - 1);
  RULE(frame != NULL && inner != NULL, "%s", where);
  if (!frame || !inner) return;
  RULE((frame->exit_runtime_frame == NULL) == is_initial, "%s: exit", where);
  RULE(frame->reenter_runtime_frame != NULL, "%s: reentry", where);
  if (!is_initial)
    RULE(frame->exit_runtime_frame > frame->reenter_runtime_frame, "%s: order", where);
  RULE(frame->reenter_runtime_frame >= inner->exit_runtime_frame, "%s: the inner task", where);
  RULE((char *)frame->reenter_runtime_frame <= main_frame, "%s: above the program", where);
}

static void check(void)
{
  for (EACH(i, E(parallel_create))) {
    RULE(notes[i].frame.reenter_runtime_frame != NULL, "the parent has not entered the runtime");
    RULE((notes[i].frame.exit_runtime_frame == NULL) == (notes[i].region[0] == 0), "its exit");
  }
  for (EACH(i, E(task_create))) {
    RULE(notes[i].frame.reenter_runtime_frame != NULL, "the parent has not entered the runtime");
    RULE(notes[i].frame.exit_runtime_frame != NULL, "its exit");
  }
}

int main(void)
{
  main_frame = __builtin_frame_address(0);
  omp_get_max_threads();
  user_code(1, "the initial task");
#pragma omp parallel num_threads(2)
  {
    user_code(0, "a region");
#pragma omp master
    in_runtime(1, 1, "the initial task in a region");
#pragma omp barrier
    user_code(0, "behind a barrier");
#pragma omp critical
    user_code(0, "in a critical section");
  }
  /* One thread executes its tasks at once. */
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    {
      user_code(0, "a task");
      in_runtime(1, 0, "the task around");
      in_runtime(2, 1, "the initial task");
#pragma omp parallel num_threads(2)
      {
        user_code(0, "a region in a task");
#pragma omp master
        {
          in_runtime(1, 0, "the task around a region");
          in_runtime(2, 0, "the region around the task");
        }
      }
    }
    user_code(0, "behind a task");
  }
  user_code(1, "behind the region");
  return 0;
}
