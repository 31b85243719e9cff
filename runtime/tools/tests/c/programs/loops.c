/* Every worksharing construct, each once, in teams of two. */
#include <omp.h>
#include <stdlib.h>

static int data[100];
static volatile int sum;

int main(void)
{
  int chosen = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 100; i++) data[i]++;
#pragma omp for schedule(static, 7)
    for (int i = 0; i < 100; i++) data[i]++;
#pragma omp for schedule(dynamic, 9)
    for (int i = 0; i < 100; i++) data[i]++;
#pragma omp for schedule(guided, 3) nowait
    for (int i = 0; i < 100; i++) data[i]++;
#pragma omp for schedule(runtime)
    for (int i = 0; i < 100; i++) data[i]++;
#pragma omp for schedule(dynamic, 1) ordered
    for (int i = 0; i < 10; i++) {
#pragma omp ordered
      sum++;
    }
#pragma omp sections
    {
#pragma omp section
      data[0]++;
#pragma omp section
      data[1]++;
#pragma omp section
      data[2]++;
    }
#pragma omp single
    chosen = 1;
#pragma omp single nowait
    chosen = 2;
    int mine = 0;
#pragma omp single copyprivate(mine)
    mine = 5;
    if (mine != 5) abort();
#pragma omp master
    sum++;
#pragma omp barrier
#pragma omp for reduction(+ : chosen)
    for (int i = 0; i < 10; i++) chosen++;
  }
#pragma omp parallel for schedule(dynamic) num_threads(2)
  for (int i = 0; i < 10; i++) data[i]++;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    data[0]++;
#pragma omp section
    data[1]++;
  }
  return sum == 11 && chosen == 12 && data[0] == 8 && data[99] == 5 ? 0 : 2;
}
