/*
 * Arguments and states of waits (2016): the hint of a mutex_acquire is that of the lock; a
 * synchronization region that begins has a return address on every thread; a thread in a wait state
 * has a wait identifier; behind an inner region the state is the one before it.
 */
#include "says.h"
#include <omp.h>
#include <ompt-2016.h>

static ompt_get_state_t get_state;
static uint32_t expected;
static int acquires;

static int state(ompt_wait_id_t *id)
{
  *id = 0;
  return get_state(id);
}
static void on_acquire(ompt_mutex_kind_t kind, uint32_t hint, uint32_t implementation,
                       ompt_wait_id_t wait_id, const void *ra)
{
  (void)implementation; (void)ra;
  acquires++;
  says(hint == expected && wait_id, "kind %d: hint %u of a lock with %u", kind, hint, expected);
}
static void on_sync(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t endpoint,
                    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  (void)region; (void)task;
  if (endpoint == ompt_scope_begin) says(ra != 0, "kind %d begins with a return address", kind);
}
static void on_wait(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t endpoint,
                    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  ompt_wait_id_t id;
  int now = state(&id), right = 0;
  (void)region; (void)task;
  if (endpoint != ompt_scope_begin) return;
  switch (kind) {
    case ompt_sync_region_barrier:
      right = now == omp_state_wait_barrier_implicit || now == omp_state_wait_barrier_explicit;
      break;
    case ompt_sync_region_taskwait: right = now == omp_state_wait_taskwait; break;
    default: right = now == omp_state_wait_taskgroup;
  }
  says(right, "kind %d begins to wait in state %#x", kind, now);
  says(id != 0, "kind %d begins to wait for something", kind);
  says(ra != 0, "kind %d begins to wait, with a return address", kind);
}
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  (void)runtime; (void)version;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  lookup("ompt_get_thread_data");
  set(ompt_event_sync_region, (ompt_callback_t)on_sync);
  set(ompt_event_sync_region_wait, (ompt_callback_t)on_wait);
  set(ompt_event_mutex_acquire, (ompt_callback_t)on_acquire);
}
ompt_initialize_fn_t *ompt_tool(void) { return initialize; }

static void works(const char *where)
{
  ompt_wait_id_t id;
  says(state(&id) == omp_state_work_parallel, "%s: at work in a region", where);
}

int main(void)
{
  static omp_lock_t lock;
  static omp_nest_lock_t nest;
  omp_init_lock_with_hint(&lock, omp_lock_hint_contended);
  omp_init_nest_lock_with_hint(&nest, omp_lock_hint_speculative);
  for (int round = 0; round < 2; round++) {
    expected = round == 0 ? omp_lock_hint_contended : 0;
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    expected = round == 0 ? omp_lock_hint_speculative : 0;
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
  }
  says(acquires == 4, "four times a task asked for a lock: %d", acquires);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 6; i++) usleep(100);
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
      usleep(1);
      works("behind an inner region");
#pragma omp parallel num_threads(1)
      usleep(1);
      works("behind an inner region of one");
#pragma omp parallel if(0)
      usleep(1);
      works("behind a serialized region");
#pragma omp taskgroup
      for (int i = 0; i < 3; i++) {
#pragma omp task
        usleep(100);
      }
      works("behind a taskgroup");
      for (int i = 0; i < 3; i++) {
#pragma omp task
        usleep(100);
      }
#pragma omp taskwait
      works("behind a taskwait");
    }
    for (int i = 0; i < 3; i++) {
#pragma omp task
      {
        usleep(100);
#pragma omp parallel num_threads(2)
        usleep(1);
        works("behind a region of a task");
      }
    }
  }
  return 0;
}
