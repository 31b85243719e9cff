/* Handles: the same for the same thing as long as it lives, and other ones for other things. */
#include "own.h"
static void at_place(int place) { (void)place; }
int ompt_initialize(void) { return 1; }

int main(void)
{
  ompd_thread_handle_t thread;
  ompd_task_handle_t initial;
  ompd_parallel_handle_t program;
  omp_set_max_active_levels(2);
  load();
  thread = own_thread();
  initial = own_task();
  program = own_region();
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      ompd_parallel_handle_t outer = own_region(), inner = 0, around = 0;
      ompd_task_handle_t implicit = own_task(), task = 0, parent = 0;
      RULE(own_thread() == thread && outer != program && implicit != initial, "handles");
#pragma omp task if (0)
      {
        task = own_task();
        RULE(task != implicit && own_region() == outer, "a task in its region");
        OK(p_ompd_get_ancestor_task_handle(context, task, &parent));
        RULE(parent == implicit, "two handles of one task");
#pragma omp parallel num_threads(2)
        {
#pragma omp master
          {
            inner = own_region();
            RULE(inner != outer && own_task() != task && own_thread() == thread, "handles");
            OK(p_ompd_get_enclosing_parallel_handle(context, inner, &around));
            RULE(around == outer, "two handles of one region");
            OK(p_ompd_get_ancestor_task_handle(context, own_task(), &parent));
            RULE(parent == task, "two handles of one task");
          }
        }
        RULE(own_task() == task && own_region() == outer, "another handle afterwards");
      }
      RULE(own_task() == implicit && own_region() == outer, "another handle afterwards");
    }
  }
  RULE(own_thread() == thread && own_task() == initial && own_region() == program, "handles");
  return end();
}
