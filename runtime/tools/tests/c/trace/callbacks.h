/* A callback for each event, and their list. */
#ifndef CALLBACKS_H
#define CALLBACKS_H
#include "inquiries.h"
#include "lines.h"

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
  say("thread_begin thread=%llu type=%d same=%d", born(thread), type, get_thread_data() == thread);
}
static void on_thread_end(ompt_data_t *thread) { say("thread_end thread=%llu", seen(thread)); }
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
    unsigned requested, int flags, const void *ra)
{
  say("parallel_begin task=%llu enter=%llx enter_flags=%x region=%llu requested=%u flags=%x ra=%p",
      seen(task), WORD(frame->enter_frame), frame->enter_frame_flags, born(region), requested,
      flags, ra);
}
static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *ra)
{
  say("parallel_end region=%llu task=%llu flags=%x ra=%p", seen(region), seen(task), flags, ra);
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
    unsigned parallelism, unsigned index, int flags)
{
  if (endpoint == ompt_scope_begin) {
    if (flags & ompt_task_initial) born(region);
    born(task);
  }
  say("implicit_task %s region=%llu task=%llu parallelism=%u index=%u flags=%x", edge(endpoint),
      seen(region), seen(task), parallelism, index, flags);
}
static void on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int dependences, const void *ra)
{
  say("task_create encountering=%llu enter=%llx task=%llu flags=%x dependences=%d ra=%p",
      seen(encountering), frame ? WORD(frame->enter_frame) : 0, born(task), flags, dependences, ra);
}
static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
  say("task_schedule prior=%llu status=%d next=%llu", seen(prior), status, seen(next));
}
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  say("sync_region %s kind=%d region=%llu task=%llu ra=%p", edge(endpoint), kind, seen(region),
      seen(task), ra);
}
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  say("sync_region_wait %s kind=%d region=%llu task=%llu state=%x", edge(endpoint), kind,
      seen(region), seen(task), get_state(NULL));
}
static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  say("reduction %s kind=%d region=%llu task=%llu ra=%p", edge(endpoint), kind, seen(region),
      seen(task), ra);
}
static void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
    ompt_data_t *task, uint64_t count, const void *ra)
{
  say("work %s type=%d region=%llu task=%llu count=%llu ra=%p", edge(endpoint), type, seen(region),
      seen(task), (unsigned long long)count, ra);
}
static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
    const void *ra)
{
  say("masked %s region=%llu task=%llu ra=%p", edge(endpoint), seen(region), seen(task), ra);
}
static void on_dispatch(ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind,
    ompt_data_t instance)
{
  unsigned long long first = instance.value, count = 1;
  if (kind >= ompt_dispatch_ws_loop_chunk) {
    const ompt_dispatch_chunk_t *chunk = instance.ptr;
    first = chunk->start;
    count = chunk->iterations;
  }
  say("dispatch region=%llu task=%llu kind=%d first=%llu count=%llu", seen(region), seen(task),
      kind, first, count);
}
static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
    const void *ra)
{
  say("mutex_acquire kind=%d hint=%u impl=%u wait=%llx ra=%p", kind, hint, impl,
      (unsigned long long)wait, ra);
}
static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
    const void *ra)
{
  say("lock_init kind=%d hint=%u impl=%u wait=%llx ra=%p", kind, hint, impl,
      (unsigned long long)wait, ra);
}
#define MUTEX(name)                                                                                \
  static void on_##name(ompt_mutex_t kind, ompt_wait_id_t wait, const void *ra)                    \
  {                                                                                                \
    say(#name " kind=%d wait=%llx ra=%p", kind, (unsigned long long)wait, ra);                     \
  }
MUTEX(mutex_acquired)
MUTEX(mutex_released)
MUTEX(lock_destroy)
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait, const void *ra)
{
  say("nest_lock %s wait=%llx ra=%p", edge(endpoint), (unsigned long long)wait, ra);
}
static void on_flush(ompt_data_t *thread, const void *ra)
{
  say("flush thread=%llu ra=%p", seen(thread), ra);
}
static void on_cancel(ompt_data_t *task, int flags, const void *ra)
{
  say("cancel task=%llu flags=%x ra=%p", seen(task), flags, ra);
}
static void on_dependences(ompt_data_t *task, const ompt_dependence_t *deps, int count)
{
  say("dependences task=%llu count=%d first_type=%d", seen(task), count,
      count ? (int)deps[0].dependence_type : 0);
}
static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
  say("task_dependence source=%llu sink=%llu", seen(source), seen(sink));
}
static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *ra)
{
  say("error severity=%d length=%zu ra=%p message=%.*s", severity, length, ra, (int)length,
      message);
}

/* Command 64: say what every inquiry answers here. Command 65: end the tool. */
static int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
  say("control_tool command=%llu modifier=%llu arg=%d ra=%p", (unsigned long long)command,
      (unsigned long long)modifier, arg != NULL, ra);
  if (command == 64) {
    ask_everything();
  } else if (command == 65) {
    finalize_tool();
    say("after_finalize set=%d", set_callback(ompt_callback_work, NULL));
  }
  return (int)modifier;
}

static struct {
  const char *name;
  ompt_callbacks_t number;
  ompt_callback_t function;
} callbacks[] = {
#define ONE(name) {#name, ompt_callback_##name, (ompt_callback_t)on_##name}
  ONE(thread_begin), ONE(thread_end), ONE(parallel_begin), ONE(parallel_end), ONE(implicit_task),
  ONE(task_create), ONE(task_schedule), ONE(sync_region), ONE(sync_region_wait), ONE(reduction),
  ONE(work), ONE(masked), ONE(dispatch), ONE(mutex_acquire), ONE(mutex_acquired),
  ONE(mutex_released), ONE(lock_init), ONE(lock_destroy), ONE(nest_lock), ONE(flush), ONE(cancel),
  ONE(dependences), ONE(task_dependence), ONE(control_tool), ONE(error),
};

#endif
