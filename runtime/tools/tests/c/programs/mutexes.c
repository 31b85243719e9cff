/* Everything that excludes: critical sections, locks of both kinds, tests of them, ordered. */
#include <omp.h>
#include <stdlib.h>

int main(void)
{
  int sum = 0;
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(3)
  {
    for (int i = 0; i < 4; i++) {
#pragma omp critical
      sum++;
#pragma omp critical(other)
      sum++;
      omp_set_lock(&lock);
      sum++;
      omp_unset_lock(&lock);
      while (!omp_test_lock(&lock)) {}
      sum++;
      omp_unset_lock(&lock);
      omp_set_nest_lock(&nest);
      omp_set_nest_lock(&nest);
      if (omp_test_nest_lock(&nest) != 3) abort();
      sum++;
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  (void)sum;
  return 0;
}
