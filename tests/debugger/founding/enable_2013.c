/* ompd_enable(true), without a tool, where the environment switches tools off: OMPT's inquiries
 * answer from the next region on, and regions have ids. */
#include "own.h"
static void at_place(int place) { (void)place; }

int main(void)
{
  int count;
  ompt_wait_id_t wait;
  load();
  omp_get_max_threads();
  OK(p_ompd_get_threads(context, NULL, &count));
  EXPECT(ompd_rc_ok, p_ompd_enable(1));
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      ompd_parallel_id_t id = 0;
      OK(p_ompd_get_parallel_id(context, own_region(), &id));
      RULE(id != 0 && id == ompt_get_parallel_id(0), "ids");
      RULE(ompt_get_state(&wait) == ompt_state_work_parallel, "state");
      RULE(ompt_get_task_data(0) && ompt_get_thread_data(), "words");
    }
  }
  return end();
}
