/* A handle ends with what it stands for: then it is stale. */
#include "own.h"
static void at_place(int place) { (void)place; }
int ompt_initialize(void) { return 1; }

static void *root(void *handle)
{
#pragma omp parallel num_threads(1)
  ALONE(*(ompd_thread_handle_t *)handle = own_thread());
  return NULL;
}

int main(void)
{
  ompd_parallel_handle_t region = 0;
  ompd_task_handle_t implicit = 0, task = 0;
  ompd_thread_handle_t thread = 0;
  ompd_tword_t word;
  pthread_t other;
  int number;
  load();
  omp_get_max_threads();
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      region = own_region();
      implicit = own_task();
#pragma omp task if (0)
      task = own_task();
      EXPECT(ompd_rc_stale_handle, p_ompd_in_final(context, task, &number));
    }
  }
  EXPECT(ompd_rc_stale_handle, p_ompd_get_level(context, region, &word));
  EXPECT(ompd_rc_stale_handle, p_ompd_in_final(context, implicit, &number));
  pthread_create(&other, NULL, root, &thread);
  pthread_join(other, NULL);
  EXPECT(ompd_rc_stale_handle, p_ompd_get_state(context, thread, &number, NULL));
  return end();
}
