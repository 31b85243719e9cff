/* Tasks, by OMPD and by OpenMP itself: the innermost one of each thread, those that made it, the
 * implicit ones of a region, and what each is set to. */
#include "own.h"
static void at_place(int place) { (void)place; }
int ompt_initialize(void) { return 1; }

#define SAME(function, expected) \
  do { \
    int value = -1, wanted = expected; \
    OK(p_##function(context, task, &value)); \
    RULE(value == wanted, "%s: %d, must be %d", #function, value, wanted); \
  } while (0)

/* What OpenMP's routines say here is what OMPD says of the current task. */
static void compare(int levels)
{
  ompd_task_handle_t task = own_task(), next;
  omp_sched_t kind;
  int modifier, asked_kind = -1, asked_modifier = -1;
  SAME(ompd_get_max_threads, omp_get_max_threads());
  SAME(ompd_get_thread_num, omp_get_thread_num());
  SAME(ompd_in_parallel, omp_in_parallel());
  SAME(ompd_in_final, omp_in_final());
  SAME(ompd_get_dynamic, omp_get_dynamic());
  SAME(ompd_get_nested, omp_get_max_active_levels() > 1);
  SAME(ompd_get_max_active_levels, omp_get_max_active_levels());
  SAME(ompd_get_proc_bind, (int)omp_get_proc_bind());
  omp_get_schedule(&kind, &modifier);
  OK(p_ompd_get_schedule(context, task, &asked_kind, &asked_modifier));
  RULE(asked_kind == (int)(kind & ~omp_sched_monotonic) && asked_modifier == modifier,
       "schedule %d %d", asked_kind, asked_modifier);
  for (int level = 0;; level++) {
    ompd_taddr_t function = 0, exit = 0, reentry = 0;
    int known = p_ompd_get_task_function(context, task, &function);
    /* The initial task has no function of its own. */
    RULE(known == ompd_rc_ok || (known == ompd_rc_unavailable && level == levels - 1), "%d", known);
    OK(p_ompd_get_task_frame(context, task, &exit, &reentry));
    ompt_frame_t *frame = ompt_get_task_frame(level);
    RULE(frame != NULL && exit == (uint64_t)frame->exit_runtime_frame, "exit at %d", level);
    RULE(frame != NULL && reentry == (uint64_t)frame->reenter_runtime_frame, "entry at %d", level);
    if (level < levels - 1)
      RULE(function == (uint64_t)ompt_get_task_function(level), "function at %d", level);
    int code = p_ompd_get_ancestor_task_handle(context, task, &next);
    RULE(code == (level == levels - 1 ? ompd_rc_unavailable : ompd_rc_ok), "%d: %d", level, code);
    if (code != ompd_rc_ok) break;
    RULE(next != task, "a task above itself");
    task = next;
  }
}

/* The implicit tasks of the region are those of its threads, by their numbers. */
static void implicit(void)
{
  ompd_task_handle_t *tasks, own = own_task();
  int count = 0, number = -1, found = 0;
  OK(p_ompd_get_implicit_task_in_parallel(context, own_region(), &tasks, &count));
  RULE(count == omp_get_num_threads(), "%d implicit tasks", count);
  for (int i = 0; i < count; i++) {
    OK(p_ompd_get_thread_num(context, tasks[i], &number));
    RULE(number == i, "number %d of task %d", number, i);
    found += tasks[i] == own && i == omp_get_thread_num();
  }
  RULE(found == 1, "the asking thread's is there %d times", found);
  release(tasks);
}

int main(void)
{
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  omp_set_num_threads(5);
  omp_set_schedule(omp_sched_dynamic, 7);
  load();
  compare(1);
#pragma omp parallel num_threads(3)
  {
    omp_set_num_threads(2 + omp_get_thread_num());
    omp_set_schedule(omp_sched_guided, 3 + omp_get_thread_num());
#pragma omp barrier
    ALONE(compare(2); implicit());
#pragma omp barrier
#pragma omp master
    {
#pragma omp parallel num_threads(2)
      {
        omp_set_max_active_levels(7);
#pragma omp barrier
        ALONE(compare(3); implicit());
      }
    }
#pragma omp barrier
  }
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    {
      omp_set_dynamic(1);
      ALONE(compare(3));
#pragma omp task final(1)
      ALONE(compare(4));
    }
  }
  RULE(allocated == 0, "%ld pieces are left", allocated);
  return end();
}
