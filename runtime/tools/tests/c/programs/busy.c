/* For BUSY_SECONDS (default 1), but for each of three sizes of region at least once: regions,
 * nested ones,
   tasks, locks, loops. */
#include <omp.h>
#include <stdlib.h>
#include <time.h>

static long total;

static long fib(int n)
{
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void)
{
  const char *text = getenv("BUSY_SECONDS");
  double seconds = text ? atof(text) : 1;
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  omp_set_max_active_levels(2);
  int round = 0;
  do {
#pragma omp parallel num_threads(2 + round % 3)
    {
#pragma omp single
      if (fib(14) != 377) abort();
#pragma omp for schedule(dynamic, 3)
      for (int i = 0; i < 100; i++) {
#pragma omp critical
        total++;
      }
#pragma omp barrier
#pragma omp parallel num_threads(2)
      {
#pragma omp atomic
        total++;
      }
    }
    round++;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (round < 3 || now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) / 1e9 < seconds);
  return 0;
}
