/* Short regions of two threads: tasks, a barrier and a region inside of one of them each. */
#include <omp.h>
#include <stdio.h>

/* libgomp has none: ours is found when the program runs. */
#pragma weak omp_control_tool
extern int omp_control_tool(int command, int modifier, void *argument);

enum { TOLD = 100, SUMMED, SAY };

static int counts[2], inner, tasks;

static void region(int with)
{
#pragma omp parallel num_threads(2)
  {
    counts[omp_get_thread_num()]++;
    if (with == 1) {
#pragma omp barrier
    }
    if (with == 2) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
      inner++;
    }
    if (with == 3) {
#pragma omp single
      for (int i = 0; i < 10; i++) {
#pragma omp task
#pragma omp atomic
        tasks++;
      }
    }
  }
}

static void step(const char *name, int command, int times, int with)
{
  omp_control_tool(command, 0, NULL);
  omp_control_tool(SAY, 0, NULL);
  for (int i = 0; i < times; i++) region(with);
  omp_control_tool(SAY, 0, (void *)name);
}

int main(void)
{
  omp_set_max_active_levels(2);
  step("told", TOLD, 100, 0);
  step("summed", SUMMED, 1000, 0);
  step("barrier", SUMMED, 10, 1);
  step("region", SUMMED, 10, 2);
  step("told again", TOLD, 100, 0);
  step("tasks", SUMMED, 1, 3);
  step("given up", SUMMED, 10, 0);
  printf("%d %d %d %d\n", counts[0], counts[1], inner, tasks);
}
