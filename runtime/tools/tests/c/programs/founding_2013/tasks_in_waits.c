/* A tool that hears of waits alone: no wait is told while a task is executed in it, and the state
 * says the same. */
#define UNWANTED(event) \
  (event != ompt_event_runtime_shutdown && \
   (event < ompt_event_wait_barrier_begin || event > ompt_event_wait_taskgroup_end))
#include "tool.h"

static void check(void)
{
  RULE(how_many(MARKS) == 24, "%d tasks", how_many(MARKS));
  int inside = 0;
  for (EACH(i, MARKS)) {
    int before = ahead(i);
    while (before >= 0 && notes[before].event == MARKS) before = ahead(before);
    int waits = before >= 0 && notes[before].event < MARKS &&
                (notes[before].event - E(wait_barrier_begin)) % 2 == 0;
    RULE(!waits, "a task inside a wait");
    RULE(notes[i].state == ompt_state_work_parallel, "state %#x in a task", notes[i].state);
    inside += before >= 0;
  }
  RULE(inside > 0, "no task lies between two waits");
  /* Nobody is told of what he did not register. */
  for (int i = 0; i < noted; i++)
    RULE(!(UNWANTED(notes[i].event)) || notes[i].event >= MARKS, "event %d", notes[i].event);
}

static void eight(void)
{
  for (int i = 0; i < 8; i++) {
#pragma omp task
    {
      MARK(0);
      usleep(100);
    }
  }
}

int main(void)
{
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      eight();
#pragma omp taskwait
#pragma omp taskgroup
      eight();
      eight();
    }
#pragma omp barrier
  }
  return 0;
}
