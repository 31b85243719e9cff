/* Taskloops on a thread whose tool is asked to keep it quiet, in a team of two. The other thread
 * takes no task, or helps. */
#include <omp.h>
#include <stdio.h>

/* libgomp has none: ours is found when the program runs. */
#pragma weak omp_control_tool
extern int omp_control_tool(int command, int modifier, void *argument);

enum { LOUD = 100, QUIET, SAY, HELPED_TASKS = 20000 };

static long sums[2], helped;
static int over;

/* A taskloop whose task in the middle asks the tool for something. */
__attribute__((noinline)) static void loop(int times, int command)
{
#pragma omp taskloop grainsize(1) firstprivate(command)
  for (int i = 0; i < times; i++) {
    if (command && i == times / 2) omp_control_tool(command, 0, NULL);
    sums[omp_get_thread_num()] += i;
  }
}

static void step(const char *name, int command, int times, int inside)
{
  omp_control_tool(command, 0, NULL);
  omp_control_tool(SAY, 0, NULL);
  loop(times, inside);
  omp_control_tool(SAY, 0, (void *)name);
}

int main(void)
{
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    step("told", LOUD, 100, 0);
    step("counted", QUIET, 100, 0);
    step("turns loud", QUIET, 100, LOUD);
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  } else {
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
    }
  }
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    omp_control_tool(QUIET, 0, NULL);
    omp_control_tool(SAY, 0, NULL);
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < HELPED_TASKS; i++) {
      if (omp_get_thread_num() == 1) __atomic_fetch_add(&helped, 1, __ATOMIC_RELAXED);
      for (volatile int k = 0; k < 200; k++) {
      }
    }
    omp_control_tool(SAY, 0, "helped");
  }
  printf("%ld %ld\n", sums[0] + sums[1], helped);
  return 0;
}
