/* Tasks that run in parts: each is one task, which begins once and ends once. Twelve of them, half
 * of them untied, with children that make their threads turn to others. */
#include <omp.h>
#include <unistd.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(3) shared(sum)
#pragma omp single
  for (int i = 0; i < 6; i++) {
#pragma omp task untied shared(sum)
    {
#pragma omp task shared(sum)
      {
        usleep(1000);
#pragma omp atomic
        sum++;
      }
#pragma omp taskyield
#pragma omp taskwait
      usleep(1000);
    }
  }
  return sum != 6;
}
