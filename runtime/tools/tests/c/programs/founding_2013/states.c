/* States: those that are listed are those of the text, by its numbers and names; a thread has the
 * one of what it does; one that OpenMP does not know has none. */
#include "tool.h"

static const struct { int number; const char *name; } known[] = {
    {0x00, "ompt_state_work_serial"},   {0x01, "ompt_state_work_parallel"},
    {0x02, "ompt_state_work_reduction"}, {0x10, "ompt_state_idle"},
    {0x20, "ompt_state_overhead"},      {0x40, "ompt_state_wait_barrier"},
    {0x41, "ompt_state_wait_taskwait"}, {0x42, "ompt_state_wait_taskgroup"},
    {0x50, "ompt_state_wait_lock"},     {0x51, "ompt_state_wait_nest_lock"},
    {0x52, "ompt_state_wait_critical"}, {0x53, "ompt_state_wait_atomic"},
    {0x54, "ompt_state_wait_ordered"},  {0x60, "ompt_state_undefined"},
};

/* The loop of the text, and one that goes on until there is no answer. */
static void list(void)
{
  int state, seen = 0;
  const char *name;
  for (int ok = ompt_enumerate_state(ompt_state_first, &state, &name);
       ok && state != ompt_state_last; ok = ompt_enumerate_state(state, &state, &name)) {
    RULE(seen < 14 && state == known[seen].number && !strcmp(name, known[seen].name), "%s", name);
    seen++;
  }
  RULE(seen == 14 && state == ompt_state_last, "%d states, then %#x", seen, state);
  RULE(ompt_enumerate_state(ompt_state_last, &state, &name) == 0, "one behind the last");
  RULE(ompt_enumerate_state(4711, &state, &name) == 0, "one behind no state");
}

static void check(void)
{
  list();
  for (int i = 0; i < noted; i++) {
    int is_known = 0;
    for (int k = 0; k < 14; k++) is_known |= notes[i].state == known[k].number;
    RULE(is_known, "state %#x", notes[i].state);
  }
}

static void expect(int state)
{
  uint64_t wait = 1;
  int is = ompt_get_state(&wait);
  RULE(is == state, "state %#x, must be %#x", is, state);
  RULE(wait == 0, "waits for %#lx", (unsigned long)wait);
}

static void *foreign(void *unused)
{
  expect(ompt_state_undefined);
  RULE(ompt_get_thread_data() == NULL && ompt_get_task_data(0) == NULL, "data");
  RULE(ompt_get_parallel_id(0) == 0 && ompt_get_task_frame(0) == NULL, "a region");
  RULE(ompt_get_parallel_function(0) == NULL && ompt_get_task_function(0) == NULL, "a function");
  return unused;
}

int main(void)
{
  pthread_t thread;
  omp_get_max_threads();
  expect(ompt_state_work_serial);
  pthread_create(&thread, NULL, foreign, NULL);
  pthread_join(thread, NULL);
#pragma omp parallel num_threads(2)
  {
    expect(ompt_state_work_parallel);
#pragma omp task if (0)
    expect(ompt_state_work_parallel);
#pragma omp critical
    expect(ompt_state_work_parallel);
  }
  expect(ompt_state_work_serial);
  return 0;
}
