/* The exit frame is set once, when the task leaves the runtime for the first time, and stays. */
#include "tool.h"

static void check(void)
{
  for (EACH(i, MARKS)) {
    void *set = notes[i].frames[0].exit_runtime_frame;
    RULE(set != NULL, "none in user code");
    for (int k = i + 1; k < noted; k++)
      if (notes[k].thread == notes[i].thread && notes[k].task[0] == notes[i].task[0])
        RULE(notes[k].frames[0].exit_runtime_frame == set, "event %d: %p, was %p", notes[k].event,
             notes[k].frames[0].exit_runtime_frame, set);
  }
}

int main(void)
{
#pragma omp parallel num_threads(2)
  {
    MARK(0);
#pragma omp single
    {
#pragma omp task
      MARK(0);
#pragma omp taskwait
    }
#pragma omp critical
    usleep(1);
  }
  return 0;
}
