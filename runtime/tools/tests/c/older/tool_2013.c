/*
 * A tool of the generation of 2013. It registers everything, checks the stream as it comes, and
 * says at the end what it saw (counts.h). Threads and tasks have data words, regions the runtime's
 * ids.
 */
#include "ompt-2013.h"
#include "rules.h"
#include "storm.h"
#include <string.h>

/* What ompt_set_callback answers of an event that never occurs, and of how many. */
enum { NEVER_OCCURS = 1, NEVER_OCCUR = 0 };

static int has_function;

static uint64_t current_region(int level) { return ompt_get_parallel_id(level); }
static uint64_t current_task(int level)
{
  ompt_data_t *data = ompt_get_task_data(level);
  return data ? data->value : 0;
}
static int current_state(void) { ompt_wait_id_t wait; return ompt_get_state(&wait); }

static void on_thread_create(ompt_data_t *t)
{
  CHECK(t == ompt_get_thread_data() && t->value == 0, "not this thread's fresh word");
  t->value = fresh();
  thread_begins(t->value);
}
static void on_thread_exit(ompt_data_t *t) { thread_ends(t->value); }
static void on_parallel_create(ompt_data_t *t, ompt_frame_t *f, ompt_parallel_id_t r)
{
  region_begins(t->value, f, r);
}
static void on_parallel_exit(ompt_data_t *t, ompt_frame_t *f, ompt_parallel_id_t r)
{
  CHECK(f, "no frame");
  region_ends(t->value, r);
}
static void on_implicit_create(ompt_data_t *t, ompt_parallel_id_t r)
{
  CHECK(t->value == 0 && t == ompt_get_task_data(0), "not this task's fresh word");
  t->value = fresh();
  /* A compiler may call the code of a lone thread itself. */
  CHECK(ompt_get_parallel_function(0) == ompt_get_task_function(0), "two functions");
  if (ompt_get_parallel_function(0)) has_function = 1;
  CHECK(ompt_get_task_frame(0), "no frame");
  implicit(1, r, t->value);
}
static void on_implicit_exit(ompt_data_t *t, ompt_parallel_id_t r) { implicit(0, r, t->value); }
static void on_task_create(ompt_data_t *p, ompt_frame_t *f, ompt_data_t *t)
{
  CHECK(t->value == 0, "a word that is not fresh");
  t->value = fresh();
  task_created(p->value, f, t->value);
}
static void on_task_exit(ompt_data_t *t) { task_ended(t->value); }
static void on_switch(ompt_data_t *from, ompt_data_t *to)
{
  CHECK(to, "to nothing");
  (void)from;
  switched(to->value);
}
static void on_idle_begin(ompt_data_t *t)
{
  CHECK(t->value == self, "another thread");
  idles_now(1);
}
static void on_idle_end(ompt_data_t *t) { CHECK(t->value == self, "another thread"); idles_now(0); }
#define SCOPE(name, call) \
  static void name##_begin(ompt_data_t *t, ompt_parallel_id_t r) \
  { \
    int begins = 1; \
    uint64_t task = t->value; \
    call; \
  } \
  static void name##_end(ompt_data_t *t, ompt_parallel_id_t r) \
  { \
    int begins = 0; \
    uint64_t task = t->value; \
    call; \
  }
static void on_flush(ompt_data_t *t) { CHECK(t->value == self, "another thread"); flushed(); }

static void set_own(void);
#include "before_2016.h"

static void set_own(void)
{
  SET(parallel_create, on_parallel_create); SET(parallel_exit, on_parallel_exit);
  SET(task_create, on_task_create); SET(task_exit, on_task_exit);
  SET(thread_create, on_thread_create); SET(thread_exit, on_thread_exit);
  SET(implicit_task_create, on_implicit_create); SET(implicit_task_exit, on_implicit_exit);
  BOTH(section, on_sections);
}

int ompt_initialize(void)
{
  char version[64], tiny[4];
  int length = ompt_get_runtime_version(version, sizeof version);
  CHECK(length == (int)strlen(version) && strchr(version, '-'), "version %s", version);
  CHECK(ompt_get_runtime_version(tiny, sizeof tiny) == length && strlen(tiny) == 3, "cut");
  CHECK(ompt_get_ompt_version() == 1, "OMPT's version");
  int state, states = 0;
  const char *name;
  for (int ok = ompt_enumerate_state(ompt_state_first, &state, &name);
       ok && state != ompt_state_last; ok = ompt_enumerate_state(state, &state, &name))
    states++;
  CHECK(states == 14, "%d states", states);
  /* TAU of 2014 goes on until there is no answer. */
  for (states = 0, state = ompt_state_first;
       states < 99 && ompt_enumerate_state(state, &state, &name) == 1;)
    states++;
  CHECK(states == 15 && state == ompt_state_last, "%d states", states);
  set_all();
  storm();
  ompt_callback_t callback;
  CHECK(ompt_get_callback(ompt_event_flush, &callback) == 1 &&
            callback == (ompt_callback_t)on_flush,
        "get");
  return getenv("OLDER_TOOL_DECLINES") == 0;
}
