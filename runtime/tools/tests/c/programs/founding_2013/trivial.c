/* What the functions answer without a tool, and before the runtime is there: nothing that could be
 * taken for something. Says what it was told where a region is. */
#include "ompt-2013.h"
#include <omp.h>
#include <stdio.h>

static int wrong;

static void expect_nothing(void)
{
  ompt_wait_id_t wait = 1;
  ompt_callback_t found;
  wrong += ompt_get_state(&wait) != ompt_state_undefined || wait != 0;
  wrong += ompt_get_thread_data() != NULL || ompt_get_task_data(0) != NULL;
  wrong += ompt_get_parallel_id(0) != 0 || ompt_get_parallel_function(0) != NULL;
  wrong += ompt_get_task_frame(0) != NULL || ompt_get_task_function(0) != NULL;
  wrong += ompt_set_callback(ompt_event_flush, (ompt_callback_t)expect_nothing) != 0;
  wrong += ompt_get_callback(ompt_event_flush, &found) != 0;
  wrong += ompt_get_ompt_version() != 1;
}

/* Before every constructor, the runtime's too. */
__attribute__((section(".preinit_array"), used)) static void (*first)(void) = expect_nothing;

#ifdef TOOL
static int started, told;
static void on_region(ompt_data_t *task, ompt_frame_t *frame, ompt_parallel_id_t region)
{
  (void)task, (void)frame, (void)region;
  told++;
}
int ompt_initialize(void)
{
  started++;
  ompt_set_callback(ompt_event_parallel_create, (ompt_callback_t)on_region);
  return TOOL;
}
#else
enum { started = 0, told = 0 };
#endif

int main(void)
{
  int before = wrong, state = 0;
  uint64_t id = 0;
  void *data = NULL;
#pragma omp parallel num_threads(2)
  {
    ompt_wait_id_t wait;
#pragma omp master
    state = ompt_get_state(&wait), id = ompt_get_parallel_id(0), data = ompt_get_task_data(0);
  }
  /* The tool may be asked to be started, and is not: all is as before. */
  int late = ompt_set_callback(ompt_event_control, (ompt_callback_t)expect_nothing);
  ompt_control(1, 2);
  printf("before %d, started %d, told %d, late %d, state %#x, id %s, data %s\n", before, started,
         told, late, state, id ? "yes" : "no", data ? "yes" : "no");
  return 0;
}
