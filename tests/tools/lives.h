/* Threads, regions and tasks: the callbacks that begin and end them, and that switch between
 * tasks. */
#ifndef LIVES_H
#define LIVES_H
#include "rules.h"
#include <pthread.h>

static long threads_begun, threads_ended, regions_begun, regions_ended, tasks_made, tasks_done;
static int storm;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
  RULE(self == NULL, "a thread begins once (%d)", type);
  self = record(THREAD, sizeof *self, data, "thread_begin");
  pthread_attr_t attributes;
  void *stack;
  size_t bytes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &stack, &bytes);
    self->stack = (uintptr_t)stack;
    self->stack_end = self->stack + bytes;
    pthread_attr_destroy(&attributes);
  }
  RULE(type >= ompt_thread_initial && type <= ompt_thread_other, "%d", type);
  ADD(threads_begun, 1);
  here("thread_begin");
  if (storm) storm_begin();
}

static void on_thread_end(ompt_data_t *data)
{
  if (storm) storm_end();
  struct thread *t = here("thread_end");
  RULE(of_word(THREAD, data, "thread_end") == t, "its own word");
  t->ended = 1;
  ADD(threads_ended, 1);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
    unsigned requested, int flags, const void *code)
{
  struct thread *t = here("parallel_begin");
  current(t, "parallel_begin", NULL, task);
  frames(t, "parallel_begin", frame);
  struct region *r = record(REGION, sizeof *r, region, "parallel_begin");
  r->league = (flags & ompt_parallel_league) != 0;
  r->encountering = t->current;
  RULE(requested >= 1 && code, "%u", requested);
  RULE(!r->league == ((flags & ompt_parallel_team) != 0), "a team or a league: %x", flags);
  RULE((flags & 3) == 1 || (flags & 3) == 2, "one invoker: %x", flags);
  ADD(regions_begun, 1);
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code)
{
  struct thread *t = here("parallel_end");
  current(t, "parallel_end", NULL, task);
  struct region *r = of_word(REGION, region, "parallel_end");
  if (r == NULL) return;
  RULE(!r->ended && r->encountering == t->current, "ends once, where it began");
  RULE(r->begun == r->left && r->begun == r->size, "%d of %d began, %d ended", r->begun, r->size,
      r->left);
  RULE(r->open_tasks == 0, "%d tasks left", r->open_tasks);
  RULE(r->league == ((flags & ompt_parallel_league) != 0) && code, "%x", flags);
  r->ended = 1;
  ADD(regions_ended, 1);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
    unsigned size, unsigned index, int flags)
{
  struct thread *t = here("implicit_task");
  int initial = (flags & ompt_task_initial) != 0;
  if (endpoint == ompt_scope_end) {
    struct task *it = of_word(TASK, task, "implicit_task end");
    if (it == NULL) return;
    RULE(it == t->current && it->life == RUNS && it->index == (int)index, "%u", index);
    RULE(it->depth == 0, "%d scopes open, %s", it->depth, it->depth ? it->scopes[0].name : "");
    /* Only the region that an initial task began ends with it. */
    int own = it->region && it->region->initial;
    RULE(own ? region && region->ptr == it->region : region == NULL, "its region at the end");
    RULE(t->helds == 0, "no mutex: %d", t->helds);
    RULE(it->arrived == (it->region && it->region->league), "the barrier of a league: %d",
         it->arrived);
    it->life = DONE;
    t->current = it->below;
    ADD(it->region->left, 1);
    return;
  }
  struct task *it = record(TASK, sizeof *it, task, "implicit_task begin");
  if (initial && region && region->ptr == NULL) {
    struct region *r = record(REGION, sizeof *r, region, "initial region");
    r->initial = 1;
    RULE(size == 1 && index == 1, "%u %u", size, index);
  }
  struct region *r = it->region = of_word(REGION, region, "implicit_task begin");
  if (r == NULL) return;
  RULE(!r->ended && (initial || (index < size && (r->size == 0 || r->size == (int)size))), "%u %u",
      index, size);
  r->size = size;
  it->flags = flags;
  it->index = index;
  it->life = RUNS;
  it->below = t->current;
  t->current = it;
  ADD(r->begun, 1);
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made,
                           int flags, int dependences, const void *code)
{
  struct thread *t = here("task_create");
  current(t, "task_create", NULL, task);
  frames(t, "task_create", frame);
  struct task *it = record(TASK, sizeof *it, made, "task_create");
  it->flags = flags;
  it->region = t->current ? t->current->region : NULL;
  int kind = flags & 0x1c;
  RULE(kind == ompt_task_explicit || kind & (ompt_task_taskwait | ompt_task_target), "%x",
      flags);
  RULE(code != NULL && (dependences == 0 || dependences == 1), "%d", dependences);
  if (it->region) ADD(it->region->open_tasks, 1);
  ADD(tasks_made, 1);
}

static void complete(struct task *it)
{
  RULE(it->life != DONE, "completed once (%x)", it->flags);
  RULE(it->depth == 0 || it->life == DETACHED, "%d scopes open", it->depth);
  it->life = DONE;
  if (it->region) ADD(it->region->open_tasks, -1);
  ADD(tasks_done, 1);
}

static void on_task_schedule(ompt_data_t *before, ompt_task_status_t status, ompt_data_t *after)
{
  struct task *prior = of_word(TASK, before, "task_schedule");
  if (prior == NULL) return;
  if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) {
    /* Any thread may fulfil an event, also one that OpenMP does not know. */
    RULE(after == NULL && !prior->fulfilled++, "fulfilled once");
    RULE((status == ompt_task_late_fulfill) == (prior->life == DETACHED), "life %d", prior->life);
    if (prior->life == DETACHED) complete(prior);
    return;
  }
  struct thread *t = here("task_schedule");
  if (status == ompt_taskwait_complete) {
    RULE(after == NULL && (prior->flags & ompt_task_taskwait), "%x", prior->flags);
    complete(prior);
    return;
  }
  struct task *next = of_word(TASK, after, "task_schedule");
  if (next == NULL) return;
  RULE(prior == t->current, "the prior task runs (status %d)", status);
  RULE(prior != next, "to another task (status %d)", status);
  switch (status) {
  case ompt_task_complete:
  case ompt_task_cancel: complete(prior); break;
  case ompt_task_detach: prior->life = DETACHED; break;
  case ompt_task_switch:
  case ompt_task_yield: prior->life = SUSPENDED; break;
  default: RULE(0, "status %d", status);
  }
  RULE(next->life == CREATED || next->life == SUSPENDED, "life %d of the next task", next->life);
  next->life = RUNS;
  t->current = next;
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int count)
{
  struct thread *t = here("dependences");
  struct task *it = of_word(TASK, task, "dependences");
  RULE(it && count > 0 && list, "%d", count);
  if (it == NULL || count <= 0) return;
  int doacross = list[0].dependence_type == ompt_dependence_type_source
      || list[0].dependence_type == ompt_dependence_type_sink;
  RULE(doacross ? it == t->current : it->life == CREATED, "life %d", it->life);
  for (int i = 0; i < count; i++)
    RULE(list[i].dependence_type >= 1 && list[i].dependence_type <= 35, "%d", i);
}

static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
  here("task_dependence");
  of_word(TASK, source, "task_dependence");
  struct task *it = of_word(TASK, sink, "task_dependence");
  RULE(it == NULL || it->life == CREATED, "it waits: %d", it ? it->life : 0);
}
#endif
