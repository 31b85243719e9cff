/* Tasks on a thread whose tool is asked to keep it quiet, and to be told again. In a team of two
 * the other thread takes no task. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* libgomp has none: ours is found when the program runs. */
#pragma weak omp_control_tool
extern int omp_control_tool(int command, int modifier, void *argument);

enum { LOUD = 100, QUIET, SAY };

static long sum;
static int over;

/* A task that does little, or asks its tool for something. */
__attribute__((noinline)) static void make(int times, int command)
{
  for (int i = 0; i < times; i++) {
#pragma omp task firstprivate(command)
    {
      if (command) omp_control_tool(command, 0, NULL);
      sum++;
    }
  }
#pragma omp taskwait
#pragma omp critical
  sum++;
}

static void step(const char *name, int command, int times, int inside)
{
  omp_control_tool(command, 0, NULL);
  omp_control_tool(SAY, 0, NULL);
  make(times, inside);
  omp_control_tool(SAY, 0, (void *)name);
}

int main(int argc, char **argv)
{
  const int threads = argc > 1 ? atoi(argv[1]) : 1;
#pragma omp parallel num_threads(threads)
  if (omp_get_thread_num() == 0) {
    step("told", LOUD, 100, 0);
    step("counted", QUIET, 100, 0);
    step("turns loud", QUIET, 1, LOUD);
    step("turns quiet", LOUD, 1, QUIET);
    step("counted again", QUIET, 5000, 0);
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  } else {
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
    }
  }
  printf("%ld\n", sum);
  return 0;
}
