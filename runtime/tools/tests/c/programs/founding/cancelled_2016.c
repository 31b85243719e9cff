/*
 * Tasks that a cancelled taskgroup discards (2016, 4.2.1): a thread that waits is told nothing, not
 * of such a task either; it leaves the wait for it, as for one that it executes.
 */
#include "says.h"
#include <ompt-2016.h>

static ompt_get_state_t get_state;
static __thread int waiting;
static int told_in_wait, wrong_states, completed, waits;

static void on_wait(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t endpoint,
                    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  (void)kind; (void)region; (void)task; (void)ra;
  waiting = endpoint == ompt_scope_begin;
  __atomic_add_fetch(&waits, 1, __ATOMIC_SEQ_CST);
}
static void on_schedule(ompt_data_t *prior, ompt_bool_t is_complete, ompt_data_t *next)
{
  ompt_wait_id_t wait;
  (void)prior; (void)next;
  if (waiting) __atomic_add_fetch(&told_in_wait, 1, __ATOMIC_SEQ_CST);
  if (get_state(&wait) >= omp_state_wait_barrier)
    __atomic_add_fetch(&wrong_states, 1, __ATOMIC_SEQ_CST);
  if (is_complete) __atomic_add_fetch(&completed, 1, __ATOMIC_SEQ_CST);
}
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  (void)runtime; (void)version;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  lookup("ompt_get_thread_data");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  set(ompt_event_sync_region_wait, (ompt_callback_t)on_wait);
  set(ompt_event_task_schedule, (ompt_callback_t)on_schedule);
}
ompt_initialize_fn_t *ompt_tool(void) { return initialize; }

int main(void)
{
  int executed = 0, made = 0;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
      made++;
#pragma omp task firstprivate(i) shared(executed)
      {
        if (i == 3) {
#pragma omp cancel taskgroup
        }
        __atomic_add_fetch(&executed, 1, __ATOMIC_SEQ_CST);
      }
    }
  }
  says(executed < made && completed == made, "%d of %d tasks executed, %d over", executed, made,
       completed);
  says(waits > 0 && told_in_wait == 0, "%d tasks told of inside of %d waits", told_in_wait, waits);
  says(wrong_states == 0, "%d in the state of a wait", wrong_states);
  return 0;
}
