/*
 * What each event must be, whichever generation's words it came in: what begins also ends, on the
 * same thread, in the same region and task, and the inquiries agree with it. The including tool has
 * `current_region`, `current_task` and `current_state`, by its generation's inquiries.
 */
#ifndef RULES_H
#define RULES_H
#include "counts.h"
#include "objects.h"

static __thread uint64_t self;
static __thread int idle;
static __thread struct { int kind; uint64_t region, task; } scopes[64];
static __thread int depth;
static __thread uint64_t waits_for;

static uint64_t current_region(int level);
static uint64_t current_task(int level);
static int current_state(void);

static void thread_begins(uint64_t name)
{
  CHECK(!self, "a thread begins twice");
  self = name;
  born(name, "thread");
  count(threads);
}
static void thread_ends(uint64_t name)
{
  CHECK(self == name, "a thread ends as another");
  CHECK(!idle, "a thread ends while it idles");
  dead(name, "thread");
}
static __thread int waiting;
static void known(void)
{
  CHECK(self && !over, "an event before the thread's or after the end");
  CHECK(!waiting, "an event inside a wait");
}

static void region_begins(uint64_t parent, const void *frame, uint64_t region)
{
  known();
  CHECK(frame, "no frame");
  CHECK(current_task(0) == parent, "not in the encountering task");
  born(region, "region");
  count(regions);
}
static void region_ends(uint64_t parent, uint64_t region)
{
  known();
  CHECK(current_task(0) == parent, "not back in the encountering task");
  dead(region, "region");
}
static void enter(int kind, uint64_t region, uint64_t task)
{
  known();
  if (depth < 64) {
    scopes[depth].kind = kind;
    scopes[depth].region = region;
    scopes[depth].task = task;
  }
  depth++;
}
static void leave(int kind, uint64_t region, uint64_t task)
{
  known();
  depth--;
  CHECK(depth >= 0, "%d ends that did not begin", kind);
  if (depth < 0 || depth >= 64) { depth = 0; return; }
  CHECK(scopes[depth].kind == kind, "%d ends in %d", kind, scopes[depth].kind);
  CHECK(scopes[depth].region == region, "%d ends in region %#lx and began in %#lx", kind,
        (unsigned long)region, (unsigned long)scopes[depth].region);
  CHECK(scopes[depth].task == task, "%d ends in another task", kind);
}
static void scope(int kind, int begins, uint64_t region, uint64_t task)
{
  if (begins) enter(kind, region, task);
  else leave(kind, region, task);
}

enum { IMPLICIT = 1, SYNC, WAIT, WORK, MASTER };
static void implicit(int begins, uint64_t region, uint64_t task)
{
  if (begins) {
    CHECK(lives(region), "an implicit task of no region");
    CHECK(current_region(0) == region, "region %#lx is not the current one", (unsigned long)region);
    CHECK(current_task(0) == task, "the task is not the current one");
    count(implicits);
  }
  scope(IMPLICIT, begins, region, task);
}
static void task_created(uint64_t parent, const void *frame, uint64_t task)
{
  known();
  CHECK(frame, "no frame");
  CHECK(current_task(0) == parent, "not in the task that makes it");
  born(task, "task");
  count(tasks);
}
static void task_ended(uint64_t task)
{
  known();
  dead(task, "task");
  count(task_ends);
}
/* The event happens in the context of the task that the thread goes on with. */
static void switched(uint64_t next)
{
  known();
  CHECK(!next || current_task(0) == next, "a switch that is told in another task");
  count(switches);
}
static void sync(int wait, int kind, int begins, uint64_t region, uint64_t task)
{
  if (wait && !begins) {
    CHECK(waiting, "a wait ends that did not begin");
    waiting = 0;
  }
  scope((wait ? WAIT : SYNC) + 16 * kind, begins, region, task);
  if (wait && begins) waiting = 1;
  if (begins) count(wait ? waits : syncs);
}
static void work(int kind, int begins, uint64_t region, uint64_t task)
{
  CHECK(current_region(0) == region, "work in a region that is not the current one");
  scope(WORK + 16 * kind, begins, region, task);
  if (begins) count(works);
}
static void master(int begins, uint64_t region, uint64_t task)
{
  scope(MASTER, begins, region, task);
  if (begins) count(masters);
}
static void idles_now(int begins)
{
  known();
  CHECK(idle != begins, "idle twice, or not");
  idle = begins;
  if (begins) count(idles);
}
static void got(uint64_t wait)
{
  CHECK(wait, "no wait id");
  CHECK(!waits_for || waits_for == wait, "waited for one and got another");
  waits_for = 0;
  count(acquired);
}
static void gave(uint64_t wait) { CHECK(wait, "no wait id"); count(released); }
static void flushed(void) { count(flushes); }

#endif
