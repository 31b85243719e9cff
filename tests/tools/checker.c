/*
 * An OMPT tool that registers every host callback and checks the stream of events as a state
 * machine: begin and end nest, data words stay, every task is created, scheduled and completed
 * once, frames lie on the stack, mutexes are acquired before they are released. At the end it says
 * how many events came and how many rules were broken; with CHECKER_STORM set a signal storm asks
 * every inquiry meanwhile.
 */
#include "constructs.h"
#include "lives.h"
#include "start.h"

#define ON(name) \
  RULE(set(ompt_callback_##name, (ompt_callback_t)on_##name) >= ompt_set_sometimes, #name)

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  storm_prepare(lookup);
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  ON(thread_begin);
  ON(thread_end);
  ON(parallel_begin);
  ON(parallel_end);
  ON(implicit_task);
  ON(task_create);
  ON(task_schedule);
  ON(dependences);
  ON(task_dependence);
  ON(sync_region);
  ON(sync_region_wait);
  ON(reduction);
  ON(work);
  ON(masked);
  ON(dispatch);
  ON(mutex_acquire);
  ON(mutex_acquired);
  ON(mutex_released);
  ON(nest_lock);
  ON(lock_init);
  ON(lock_destroy);
  ON(flush);
  ON(cancel);
  ON(target_emi);
  ON(target_submit_emi);
  /* What is refused never comes. */
  ompt_set_result_t map = set(ompt_callback_target_map_emi, (ompt_callback_t)on_target_map_emi);
  RULE(map >= ompt_set_never, "target_map_emi: %d", map);
  maps = map != ompt_set_never;
  ON(target_data_op_emi);
  ON(control_tool);
  ON(error);
  storm = getenv("CHECKER_STORM") != NULL;
  return 1;
}

static void finalize(ompt_data_t *data)
{
  RULE(threads_begun == threads_ended, "threads: %ld begun, %ld ended", threads_begun,
       threads_ended);
  RULE(regions_begun == regions_ended, "regions: %ld %ld", regions_begun, regions_ended);
  RULE(tasks_made == tasks_done, "tasks: %ld made, %ld done", tasks_made, tasks_done);
  fprintf(stderr, "checker: %ld events, %ld rules broken\n", events, broken);
}

START_TOOL(initialize, finalize)
