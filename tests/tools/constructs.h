/* What tasks do: synchronisation, worksharing, mutexes and the rest. */
#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H
#include "rules.h"

/* A barrier that ended its region is shown without it, all else with it. */
static void names_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t *region)
{
  int ends_region = kind == ompt_sync_region_barrier_implicit_parallel
      || kind == ompt_sync_region_barrier_teams;
  RULE(!region == (ends_region && endpoint == ompt_scope_end), "%d: region", kind);
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *region, ompt_data_t *task, const void *code)
{
  struct thread *t = here("sync_region");
  current(t, "sync_region", region, task);
  RULE(kind >= 3 && kind <= 10 && kind != 7, "%d", kind);
  names_region(kind, endpoint, region);
  if (kind == ompt_sync_region_barrier_teams && endpoint == ompt_scope_begin && t->current) {
    RULE(t->current->region->league && !t->current->arrived, "once, in a league's task");
    t->current->arrived = 1;
    ADD(t->current->region->arrived, 1);
  }
  scope(t, "sync_region", kind, endpoint);
  if (endpoint == ompt_scope_begin) frames(t, "sync_region", NULL);
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *region, ompt_data_t *task, const void *code)
{
  struct thread *t = here("sync_region_wait");
  current(t, "sync_region_wait", region, task);
  names_region(kind, endpoint, region);
  if (endpoint == ompt_scope_begin && !(t->current && t->current->depth == 0 && kind == 5))
    RULE(inside(t, "sync_region"), "%d", kind);
  scope(t, "sync_region_wait", kind, endpoint);
  if (kind == ompt_sync_region_barrier_teams && endpoint == ompt_scope_end && t->current) {
    struct region *league = t->current->region;
    int arrived = __atomic_load_n(&league->arrived, __ATOMIC_RELAXED);
    RULE(arrived == league->size, "all arrived: %d of %d", arrived, league->size);
  }
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t *region, ompt_data_t *task, const void *code)
{
  struct thread *t = here("reduction");
  current(t, "reduction", region, task);
  RULE(kind == ompt_sync_region_reduction, "%d", kind);
  scope(t, "reduction", kind, endpoint);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
    ompt_data_t *task, uint64_t count, const void *code)
{
  struct thread *t = here("work");
  current(t, "work", region, task);
  RULE(kind >= 1 && kind <= 13, "%d", kind);
  scope(t, "work", kind, endpoint);
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
    const void *code)
{
  struct thread *t = here("masked");
  current(t, "masked", region, task);
  scope(t, "masked", 0, endpoint);
}

static void on_dispatch(ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind,
    ompt_data_t instance)
{
  struct thread *t = here("dispatch");
  current(t, "dispatch", region, task);
  RULE(kind >= 1 && kind <= 5 && instance.ptr, "%d", kind);
  if (kind >= ompt_dispatch_ws_loop_chunk && instance.ptr)
    RULE(((ompt_dispatch_chunk_t *)instance.ptr)->iterations > 0, "%d", kind);
  RULE(kind == ompt_dispatch_taskloop_chunk || inside(t, "work"), "%d outside of work", kind);
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
    const void *code)
{
  struct thread *t = here("mutex_acquire");
  int test = t->wanted.kind == ompt_mutex_test_lock || t->wanted.kind == ompt_mutex_test_nest_lock;
  RULE(t->wanted.kind == 0 || test, "still waits for a %d", t->wanted.kind);
  RULE(kind >= 1 && kind <= 7 && wait, "%d", kind);
  t->wanted.kind = kind;
  t->wanted.wait = wait;
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
  struct thread *t = here("mutex_acquired");
  RULE(t->wanted.kind == (int)kind && t->wanted.wait == wait, "%d: the one it waits for, %d", kind,
      t->wanted.kind);
  t->wanted.kind = 0;
  if (kind >= ompt_mutex_critical && t->helds < 64) {
    t->held[t->helds].kind = kind;
    t->held[t->helds++].wait = wait;
  }
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
  struct thread *t = here("mutex_released");
  if (kind < ompt_mutex_critical) return; /* a task owns a lock and may be elsewhere by now */
  int i = t->helds - 1;
  RULE(i >= 0 && t->held[i].kind == (int)kind && t->held[i].wait == wait, "%d: the last taken",
       kind);
  if (i >= 0) t->helds--;
}

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait, const void *code)
{
  struct thread *t = here("nest_lock");
  RULE(wait != 0, "%d", endpoint);
  if (endpoint == ompt_scope_begin) {
    RULE(t->wanted.wait == wait, "taken again without mutex_acquire");
    t->wanted.kind = 0;
  }
}

static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
    const void *code)
{
  here("lock_init");
  RULE((kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock) && wait, "%d", kind);
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
  here("lock_destroy");
  RULE((kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock) && wait, "%d", kind);
}

static void on_flush(ompt_data_t *data, const void *code)
{
  RULE(of_word(THREAD, data, "flush") == here("flush"), "its own word");
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
    ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target, const void *code)
{
  struct thread *t = here("target");
  current(t, "target", NULL, task);
  RULE(kind >= 1 && kind <= 12 && device == 0 && target && code, "%d", kind);
  scope(t, "target", kind, endpoint);
  if (target) RULE(target->ptr == (endpoint == ompt_scope_begin ? NULL : t), "its word");
  if (target) target->ptr = t;
}

static void on_target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target,
    ompt_id_t *operation, unsigned teams)
{
  struct thread *t = here("target_submit");
  RULE(target && target->ptr == t && operation && *operation, "its word");
  RULE(endpoint == ompt_scope_end || inside(t, "target"), "outside of a target construct");
  scope(t, "target_submit", 0, endpoint);
}

static int maps;

static void on_target_map_emi(ompt_data_t *target, unsigned count, void **host, void **device,
    size_t *bytes, unsigned *flags, const void *code)
{
  struct thread *t = here("target_map");
  RULE(maps, "an event that was refused");
  RULE(target && target->ptr == t && inside(t, "target"), "its word");
  for (unsigned i = 0; i < count; i++) RULE(host[i] == device[i] && flags[i], "%zu", bytes[i]);
}

static void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task,
                                  ompt_data_t *target, ompt_id_t *operation,
                                  ompt_target_data_op_t op, void *from, int from_device, void *to,
                                  int to_device, size_t bytes, const void *code)
{
  struct thread *t = here("target_data_op");
  RULE(operation && *operation && code && from_device == 0 && to_device == 0, "%d", op);
  scope(t, "target_data_op", op, endpoint);
}

static void on_cancel(ompt_data_t *task, int flags, const void *code)
{
  here("cancel");
  of_word(TASK, task, "cancel");
  RULE((flags & 0xf) && (flags & 0x70), "%x", flags);
}

static int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *code)
{
  here("control_tool");
  return 0;
}

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *code)
{
  here("error");
  RULE(severity == ompt_warning || severity == ompt_fatal, "%d", severity);
  RULE(message && strlen(message) == length, "%zu", length);
}
#endif
