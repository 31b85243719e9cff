/* Regions of every shape, barriers in them, and what omp_control_tool answers. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdlib.h>

/* Found at run time: not every library that a compiler links against has it. */
static int control_tool(int command, int modifier, void *arg)
{
  int (*routine)(int, int, void *) =
      (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
  if (!routine) abort();
  int answer = routine(command, modifier, arg);
  /* Not a tail call: the return address must be in this program. */
  __asm__ volatile("" : "+r"(answer));
  return answer;
}

static volatile int sum;

static void nested(void)
{
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      sum++;
    }
  }
}

int main(void)
{
  omp_set_max_active_levels(2);
  for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(2 + i)
    {
#pragma omp atomic
      sum++;
#pragma omp barrier
    }
  }
#pragma omp parallel num_threads(1)
  sum++;
#pragma omp parallel if (sum == 0)
  sum++;
  nested();
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) control_tool(64, 7, NULL);
  }
  /* Tools of before 5.0 give no answer of their own. */
  int expected = getenv("OLDER_TOOL") ? 0 : 3;
  if (control_tool(64, 3, (void *)&sum) != expected) return 1;
  /* Ends the tool: what comes afterwards nobody hears. The number is OpenMP 6.0's. */
  int (*pause)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "omp_pause_resource_all");
  if (getenv("STOP_TOOL") && (!pause || pause(3) != 0)) return 3;
#pragma omp parallel num_threads(3)
  {
#pragma omp atomic
    sum++;
  }
  return sum == 2 + 3 + 4 + 1 + 1 + 4 + 3 ? 0 : 2;
}
