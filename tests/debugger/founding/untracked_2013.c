/* What is not tracked is answered by a code of its own, never by a number that means nothing. */
#include "own.h"
static void at_place(int place) { (void)place; }

int main(void)
{
  load();
  omp_get_max_threads();
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      ompd_parallel_id_t id = 0;
      EXPECT(ompd_rc_needs_state_tracking, p_ompd_get_parallel_id(context, own_region(), &id));
    }
  }
  return end();
}
