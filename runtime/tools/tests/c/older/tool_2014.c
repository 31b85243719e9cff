/*
 * A tool of LLVM's generation of 2014 and 2015. It registers everything, checks the stream as it
 * comes, and says at the end what it saw (counts.h). -DEARLY is its first form, which is found by
 * ompt_initialize.
 */
#include "ompt-2014.h"
#include "rules.h"
#include "storm.h"
#include <string.h>

/* What ompt_set_callback answers of an event that never occurs, and of how many. */
enum { NEVER_OCCURS = 2, NEVER_OCCUR = 2 };

static int has_function;
static ompt_set_callback_t ompt_set_callback;
static ompt_get_parallel_id_t get_parallel_id;
static ompt_get_task_id_t get_task_id;
static ompt_get_task_frame_t get_task_frame;
static ompt_get_thread_id_t get_thread_id;
static ompt_get_state_t get_state;
static ompt_get_parallel_team_size_t get_team_size;
static ompt_get_idle_frame_t get_idle_frame;
static uint64_t current_region(int level) { return get_parallel_id(level); }
static uint64_t current_task(int level) { return get_task_id(level); }
static int current_state(void) { ompt_wait_id_t wait; return get_state(&wait); }

static void on_thread_create(ompt_thread_type_t type, ompt_thread_id_t t)
{
  CHECK(type == ompt_thread_initial || type == ompt_thread_worker, "type %d", type);
  CHECK(t == get_thread_id(), "another thread");
  CHECK((get_idle_frame() != 0) == (type == ompt_thread_worker), "only workers idle");
  thread_begins(t);
}
static void on_thread_exit(ompt_thread_type_t type, ompt_thread_id_t t)
{
  (void)type;
  thread_ends(t);
}
static void on_parallel_create(ompt_task_id_t t, ompt_frame_t *f, ompt_parallel_id_t r,
                               uint32_t requested, void *function, ompt_invoker_t invoker)
{
  CHECK(requested >= 1 && requested < 100, "requested %u", requested);
  /* A compiler may call the code of a lone thread itself. */
  CHECK(function || requested == 1, "no function");
  if (function) has_function = 1;
  CHECK(invoker == ompt_invoker_program || invoker == ompt_invoker_runtime, "invoker %d", invoker);
  CHECK(f == get_task_frame(0), "another frame");
  region_begins(t, f, r);
}
static void on_parallel_exit(ompt_parallel_id_t r, ompt_task_id_t t, ompt_invoker_t invoker)
{
  (void)invoker;
  region_ends(t, r);
}
static void on_implicit_create(ompt_parallel_id_t r, ompt_task_id_t t)
{
  CHECK(get_team_size(0) >= 1 && get_team_size(100) == -1, "team sizes");
  CHECK(get_parallel_id(100) == 0 && get_task_id(100) == 0 && get_task_frame(100) == 0,
        "level 100");
  implicit(1, r, t);
}
static void on_implicit_exit(ompt_parallel_id_t r, ompt_task_id_t t) { implicit(0, r, t); }
static void on_initial_begin(ompt_parallel_id_t r, ompt_task_id_t t)
{
  CHECK(r == 0 && t != 0, "the initial task");
  enter(0, r, t);
}
static void on_initial_end(ompt_parallel_id_t r, ompt_task_id_t t) { leave(0, r, t); }
static void on_task_create(ompt_task_id_t p, ompt_frame_t *f, ompt_task_id_t t, void *function)
{
  CHECK(function, "no function");
  task_created(p, f, t);
}
static void on_task_exit(ompt_task_id_t t) { task_ended(t); }
static void on_switch(ompt_task_id_t from, ompt_task_id_t to)
{
  CHECK(to, "to nothing");
  (void)from;
  switched(to);
}
static void on_idle_begin(ompt_thread_id_t t) { CHECK(t == self, "another thread"); idles_now(1); }
static void on_idle_end(ompt_thread_id_t t) { CHECK(t == self, "another thread"); idles_now(0); }
#define SCOPE(name, call) \
  static void name##_begin(ompt_parallel_id_t r, ompt_task_id_t task) { int begins = 1; call; } \
  static void name##_end(ompt_parallel_id_t r, ompt_task_id_t task) { int begins = 0; call; }
static void on_flush(void) { flushed(); }

static void set_own(void);
#include "before_2016.h"

static void set_own(void)
{
  SET(parallel_begin, on_parallel_create); SET(parallel_end, on_parallel_exit);
  SET(task_begin, on_task_create); SET(task_end, on_task_exit);
  SET(thread_begin, on_thread_create); SET(thread_end, on_thread_exit);
  SET(implicit_task_begin, on_implicit_create); SET(implicit_task_end, on_implicit_exit);
  BOTH(initial_task, on_initial);
  BOTH(sections, on_sections); BOTH(workshare, on_sections);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  CHECK(runtime && version, "version %u", version);
  ompt_set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_parallel_id = (ompt_get_parallel_id_t)lookup("ompt_get_parallel_id");
  get_task_id = (ompt_get_task_id_t)lookup("ompt_get_task_id");
  get_task_frame = (ompt_get_task_frame_t)lookup("ompt_get_task_frame");
  get_thread_id = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  get_team_size = (ompt_get_parallel_team_size_t)lookup("ompt_get_parallel_team_size");
  get_idle_frame = (ompt_get_idle_frame_t)lookup("ompt_get_idle_frame");
  CHECK(lookup("ompt_idle") && lookup("ompt_mutex_wait") && !lookup("ompt_get_parallel_function"),
        "lookup");
  ompt_enumerate_state_t enumerate = (ompt_enumerate_state_t)lookup("ompt_enumerate_state");
  int state = ompt_state_first, states = 0;
  const char *name;
  while (enumerate(state, &state, &name)) states++;
  CHECK(states == 16, "%d states", states);
  set_all();
  storm();
}
#ifdef EARLY
int ompt_initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  initialize(lookup, runtime, version);
  return 1;
}
#else
ompt_initialize_t ompt_tool(void) { return getenv("OLDER_TOOL_DECLINES") ? 0 : initialize; }
#endif
