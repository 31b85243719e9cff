/* ompd_enable(true), without a tool, where the environment switches tools off: OMPT's inquiries
 * answer from the next region on, and regions have ids. There is nothing left to do: the library
 * calls ompt_enable_complete before ompd_enable returns, in the debugger, for the program stands
 * still; and the program does not pass it for nothing. */
#include "own.h"
static volatile int complete;
static void at_place(int place)
{
  (void)place;
  complete++;
}

int main(void)
{
  int count;
  ompt_wait_id_t wait;
  load();
  omp_get_max_threads();
  OK(p_ompd_get_threads(context, NULL, &count));
  plant((uint64_t)dlsym(library, "ompt_enable_complete"));
  plant((uint64_t)dlsym(RTLD_DEFAULT, "ompt_enable_complete"));
  EXPECT(ompd_rc_ok, p_ompd_enable(1));
  RULE(complete == 1, "complete %d times before it returns", complete);
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
  EXPECT(ompd_rc_ok, p_ompd_enable(0));
  RULE(complete == 1, "the answers end at the next clean point: complete %d times", complete);
#pragma omp parallel num_threads(2)
  __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
  RULE(complete == 2 && !ompt_get_parallel_id(0), "complete %d times", complete);
  return end();
}
