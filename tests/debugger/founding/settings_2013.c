/* All that the user controls is among the settings: vendors' variables too. The test sets them. */
#include "own.h"
static void at_place(int place) { (void)place; }

int main(void)
{
  static const char *const expected[] = {"OMP_NESTED=", "KMP_BLOCKTIME=", "GOMP_SPINCOUNT=",
                                         "OMPT_INITIALIZE="};
  ompd_thread_handle_t *threads;
  const char *text = "";
  int count;
  load();
  omp_get_max_threads();
  OK(p_ompd_get_threads(context, &threads, &count));
  release(threads);
  OK(p_ompd_display_control_vars(&text));
  for (int i = 0; i < 4; i++) {
    char line[64];
    snprintf(line, sizeof line, "\n%s", expected[i]);
    RULE(strstr(text, line) || !strncmp(text, expected[i], strlen(expected[i])), "%s", expected[i]);
  }
  /* The processors that the process is bound to: the list begins with the lowest one. */
  cpu_set_t bound;
  int lowest = 0;
  sched_getaffinity(0, sizeof bound, &bound);
  while (!CPU_ISSET(lowest, &bound)) lowest++;
  const char *mask = strstr(text, "CPU_MASK=");
  RULE(mask && atoi(mask + 9) == lowest && mask[9] >= '0' && mask[9] <= '9', "%s", text);
  return end();
}
