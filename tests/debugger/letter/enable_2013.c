/* ompd_enable(false), then true, of a program without a tool: what begins between them passes no
 * place for breakpoints, and what begins behind them does. Each counts from the next moment at
 * which no thread is in a region: at the latest behind one more region. */
#include "own.h"

static int passed;
static void at_place(int place)
{
  (void)place;
  __atomic_add_fetch(&passed, 1, __ATOMIC_SEQ_CST);
}

static int places_of_a_region(int tracked)
{
  int before = passed, state = -1;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      ompd_taddr_t exit = 0, reentry = 0, region = 0, code = 0;
      if (tracked) OK(p_ompd_get_task_function(context, own_task(), &region));
#pragma omp task if (0)
      {
        if (tracked) {
          OK(p_ompd_get_state(context, own_thread(), &state, NULL));
          RULE(state == ompt_state_work_parallel, "state %#x", state);
          OK(p_ompd_get_task_function(context, own_task(), &code));
          RULE(code != 0 && code != region, "the task's function");
          OK(p_ompd_get_task_frame(context, own_task(), &exit, &reentry));
          RULE(exit != 0, "no frame");
        }
      }
    }
  }
  return passed - before;
}

int main(void)
{
  int count;
  load();
  omp_get_max_threads();
  OK(p_ompd_get_threads(context, NULL, &count));
  plant((uint64_t)dlsym(RTLD_DEFAULT, "ompd_bp_parallel_begin"));
  plant((uint64_t)dlsym(RTLD_DEFAULT, "ompd_bp_task_begin"));
  for (int turn = 0; turn < 2; turn++) {
    EXPECT(ompd_rc_ok, p_ompd_enable(0));
    places_of_a_region(0);
    count = places_of_a_region(0);
    RULE(count == 0, "%d places while it is off", count);
    EXPECT(ompd_rc_ok, p_ompd_enable(1));
    places_of_a_region(0);
    count = places_of_a_region(1);
    RULE(count == 2, "%d places while it is on", count);
  }
  return end();
}
