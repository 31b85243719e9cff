/*
 * A tool of the generations before OpenMP 5.0: compiled with -DY2013, -DY2014, -DY2016 (identifiers by
 * reference) or -DY2016 -DOMPT_2016_IDS (by value). It registers everything, checks the stream as it
 * comes, and says at the end what it saw:
 *
 *     older_tool: violations=0 threads=4 regions=10 ...
 *
 * Thread, region and task are called by numbers of the tool's own where the generation gives data words,
 * and by the runtime's ids where it does not.
 */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#if defined Y2013
#include "ompt-2013.h"
#elif defined Y2014
#include "ompt-2014.h"
#else
#include "ompt-2016.h"
#endif

enum { threads, regions, implicits, tasks, task_ends, switches, syncs, waits, acquired, released, mutex_waits,
       nested, locks, works, loops, singles, masters, idles, flushes, dependences, controls, signals, targets, COUNTS };
static const char *const names[COUNTS] = {
  "threads", "regions", "implicits", "tasks", "task_ends", "switches", "syncs", "waits", "acquired",
  "released", "mutex_waits", "nested", "locks", "works", "loops", "singles", "masters", "idles", "flushes",
  "dependences", "controls", "signals", "targets"};
static int counts[COUNTS];
static int violations;
static int over;
#ifndef Y2016
static int has_function;
#endif
static void count(int what) { __atomic_add_fetch(&counts[what], 1, __ATOMIC_RELAXED); }

static void violation(const char *format, ...)
{
  if (__atomic_add_fetch(&violations, 1, __ATOMIC_RELAXED) > 20) return;
  va_list list;
  va_start(list, format);
  fprintf(stderr, "older_tool: ");
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}
#define CHECK(condition, ...) do { if (!(condition)) violation(__VA_ARGS__); } while (0)

/* --- what is alive ------------------------------------------------------------------------------ */

enum { SIZE = 1 << 20 };
static struct object { uint64_t name; int alive; } objects[SIZE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct object *object(uint64_t name)
{
  uint64_t at = name * 0x9e3779b97f4a7c15u >> 44;
  while (objects[at].name && objects[at].name != name) at = (at + 1) % SIZE;
  return &objects[at];
}
static void born(uint64_t name, const char *what)
{
  pthread_mutex_lock(&mutex);
  struct object *o = object(name);
  CHECK(name != 0, "a %s without a name", what);
  CHECK(o->name == 0, "%s %#lx is there twice", what, (unsigned long)name);
  o->name = name;
  o->alive = 1;
  pthread_mutex_unlock(&mutex);
}
static void dead(uint64_t name, const char *what)
{
  pthread_mutex_lock(&mutex);
  struct object *o = object(name);
  CHECK(o->name == name && o->alive, "%s %#lx ends, but is not there", what, (unsigned long)name);
  o->alive = 0;
  pthread_mutex_unlock(&mutex);
}
static int lives(uint64_t name)
{
  pthread_mutex_lock(&mutex);
  int alive = object(name)->alive;
  pthread_mutex_unlock(&mutex);
  return alive;
}
#if defined Y2013 || (defined Y2016 && !defined OMPT_2016_IDS)
static uint64_t fresh(void)
{
  static uint64_t last = 0;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
#endif

/* --- what each event must be -------------------------------------------------------------------- */

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
  dead(name, "thread");
}
static void known(void) { CHECK(self && !over, "an event before the thread's or after the end"); }

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
static void switched(void) { known(); count(switches); }
static void sync(int wait, int kind, int begins, uint64_t region, uint64_t task)
{
  scope((wait ? WAIT : SYNC) + 16 * kind, begins, region, task);
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
/* For a program that goes on when enough threads wait for a mutex. */
int older_tool_waits(void) { return __atomic_load_n(&counts[mutex_waits], __ATOMIC_RELAXED); }

/* OLDER_TOOL_SIGNALS: what may be asked from a signal handler is asked there, on every thread. */
static void on_signal(int number)
{
  (void)number;
  if (over) return;
  for (int level = 0; level < 4; level++) {
    (void)current_region(level);
    (void)current_task(level);
  }
  (void)current_state();
  count(signals);
}
static void storm(void)
{
  if (!getenv("OLDER_TOOL_SIGNALS")) return;
  signal(SIGPROF, on_signal);
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_PROF, &timer, 0);
}

static void ends(void)
{
  over = 1;
#if defined Y2013 || defined Y2014
  CHECK(has_function || counts[regions] == 0, "no region has a function");
#endif
  fprintf(stderr, "older_tool: violations=%d", violations);
  for (int i = 0; i < COUNTS; i++) fprintf(stderr, " %s=%d", names[i], counts[i]);
  fputc('\n', stderr);
}

/* Answers of ompt_set_callback are noted: the events that never come, and what cannot be registered. */
static int unsupported, failed;

/* --- 2013 --------------------------------------------------------------------------------------- */
#ifdef Y2013
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
static void on_parallel_create(ompt_data_t *t, ompt_frame_t *f, ompt_parallel_id_t r) { region_begins(t->value, f, r); }
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
static void on_switch(ompt_data_t *from, ompt_data_t *to) { CHECK(to, "to nothing"); (void)from; switched(); }
static void on_idle_begin(ompt_data_t *t) { CHECK(t->value == self, "another thread"); idles_now(1); }
static void on_idle_end(ompt_data_t *t) { CHECK(t->value == self, "another thread"); idles_now(0); }
#define SCOPE(name, call) \
  static void name##_begin(ompt_data_t *t, ompt_parallel_id_t r) { int begins = 1; uint64_t task = t->value; call; } \
  static void name##_end(ompt_data_t *t, ompt_parallel_id_t r) { int begins = 0; uint64_t task = t->value; call; }
static void on_flush(ompt_data_t *t) { CHECK(t->value == self, "another thread"); flushed(); }
#define FRESH_NAMES 1
#endif

/* --- 2014 --------------------------------------------------------------------------------------- */
#ifdef Y2014
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
static void on_thread_exit(ompt_thread_type_t type, ompt_thread_id_t t) { (void)type; thread_ends(t); }
static void on_parallel_create(ompt_task_id_t t, ompt_frame_t *f, ompt_parallel_id_t r, uint32_t requested,
                               void *function, ompt_invoker_t invoker)
{
  CHECK(requested >= 1 && requested < 100, "requested %u", requested);
  /* A compiler may call the code of a lone thread itself. */
  CHECK(function || requested == 1, "no function");
  if (function) has_function = 1;
  CHECK(invoker == ompt_invoker_program || invoker == ompt_invoker_runtime, "invoker %d", invoker);
  CHECK(f == get_task_frame(0), "another frame");
  region_begins(t, f, r);
}
static void on_parallel_exit(ompt_parallel_id_t r, ompt_task_id_t t, ompt_invoker_t invoker) { (void)invoker; region_ends(t, r); }
static void on_implicit_create(ompt_parallel_id_t r, ompt_task_id_t t)
{
  CHECK(get_team_size(0) >= 1 && get_team_size(100) == -1, "team sizes");
  CHECK(get_parallel_id(100) == 0 && get_task_id(100) == 0 && get_task_frame(100) == 0, "level 100");
  implicit(1, r, t);
}
static void on_implicit_exit(ompt_parallel_id_t r, ompt_task_id_t t) { implicit(0, r, t); }
static void on_initial_begin(ompt_parallel_id_t r, ompt_task_id_t t) { CHECK(r == 0 && t != 0, "the initial task"); enter(0, r, t); }
static void on_initial_end(ompt_parallel_id_t r, ompt_task_id_t t) { leave(0, r, t); }
static void on_task_create(ompt_task_id_t p, ompt_frame_t *f, ompt_task_id_t t, void *function)
{
  CHECK(function, "no function");
  task_created(p, f, t);
}
static void on_task_exit(ompt_task_id_t t) { task_ended(t); }
static void on_switch(ompt_task_id_t from, ompt_task_id_t to) { CHECK(to, "to nothing"); (void)from; switched(); }
static void on_idle_begin(ompt_thread_id_t t) { CHECK(t == self, "another thread"); idles_now(1); }
static void on_idle_end(ompt_thread_id_t t) { CHECK(t == self, "another thread"); idles_now(0); }
#define SCOPE(name, call) \
  static void name##_begin(ompt_parallel_id_t r, ompt_task_id_t task) { int begins = 1; call; } \
  static void name##_end(ompt_parallel_id_t r, ompt_task_id_t task) { int begins = 0; call; }
static void on_flush(void) { flushed(); }
#endif

/* --- what 2013 and 2014 have in common ---------------------------------------------------------- */
#if defined Y2013 || defined Y2014
SCOPE(on_barrier, sync(0, 1, begins, r, task))
SCOPE(on_taskwait, sync(0, 2, begins, r, task))
SCOPE(on_taskgroup, sync(0, 3, begins, r, task))
SCOPE(on_wait_barrier, sync(1, 1, begins, r, task))
SCOPE(on_wait_taskwait, sync(1, 2, begins, r, task))
SCOPE(on_wait_taskgroup, sync(1, 3, begins, r, task))
SCOPE(on_loop, if (begins) count(loops); work(1, begins, r, task))
SCOPE(on_sections, work(2, begins, r, task))
SCOPE(on_single, if (begins) count(singles); work(3, begins, r, task))
SCOPE(on_other, work(4, begins, r, task))
SCOPE(on_master, master(begins, r, task))
static void on_acquired(ompt_wait_id_t w) { got(w); }
static void on_released(ompt_wait_id_t w) { gave(w); }
static void on_mutex_wait(ompt_wait_id_t w)
{
  int state = current_state();
#ifdef Y2013
  CHECK(state >= ompt_state_wait_lock && state <= ompt_state_wait_ordered, "state %#x", state);
#else
  CHECK(state >= ompt_state_wait_lock && state <= ompt_state_wait_ordered, "state %#x", state);
#endif
  waits_for = w;
  count(mutex_waits);
}
static void on_nested(ompt_wait_id_t w) { CHECK(w, "no wait id"); count(nested); }
static void on_lock(ompt_wait_id_t w) { CHECK(w, "no wait id"); count(locks); }
static void on_control(uint64_t command, uint64_t modifier) { (void)command; (void)modifier; count(controls); }

static void set(int event, void *callback)
{
  int answer = ompt_set_callback((ompt_event_t)event, (ompt_callback_t)callback);
#ifdef Y2013
  if (answer == 0) failed++;
  if (answer == 1) unsupported++;
#else
  if (answer == 0 || answer == 1) failed++;
  if (answer == 2) unsupported++;
#endif
}
static void set_all(void)
{
#define SET(event, callback) set(ompt_event_##event, (void *)callback)
#define BOTH(event, callback) SET(event##_begin, callback##_begin); SET(event##_end, callback##_end)
#ifdef Y2013
  SET(parallel_create, on_parallel_create); SET(parallel_exit, on_parallel_exit);
  SET(task_create, on_task_create); SET(task_exit, on_task_exit);
  SET(thread_create, on_thread_create); SET(thread_exit, on_thread_exit);
  SET(implicit_task_create, on_implicit_create); SET(implicit_task_exit, on_implicit_exit);
  BOTH(section, on_sections);
#else
  SET(parallel_begin, on_parallel_create); SET(parallel_end, on_parallel_exit);
  SET(task_begin, on_task_create); SET(task_end, on_task_exit);
  SET(thread_begin, on_thread_create); SET(thread_end, on_thread_exit);
  SET(implicit_task_begin, on_implicit_create); SET(implicit_task_end, on_implicit_exit);
  BOTH(initial_task, on_initial);
  BOTH(sections, on_sections); BOTH(workshare, on_sections);
#endif
  SET(control, on_control); SET(runtime_shutdown, ends);
  BOTH(idle, on_idle); SET(task_switch, on_switch);
  BOTH(wait_barrier, on_wait_barrier); BOTH(wait_taskwait, on_wait_taskwait); BOTH(wait_taskgroup, on_wait_taskgroup);
  BOTH(barrier, on_barrier); BOTH(taskwait, on_taskwait); BOTH(taskgroup, on_taskgroup);
  BOTH(loop, on_loop); BOTH(single_in_block, on_single); BOTH(single_others, on_other); BOTH(master, on_master);
  SET(release_lock, on_released); SET(release_nest_lock_last, on_released); SET(release_critical, on_released);
  SET(release_atomic, on_released); SET(release_ordered, on_released);
  SET(acquired_lock, on_acquired); SET(acquired_nest_lock_first, on_acquired); SET(acquired_critical, on_acquired);
  SET(acquired_atomic, on_acquired); SET(acquired_ordered, on_acquired);
  SET(wait_lock, on_mutex_wait); SET(wait_nest_lock, on_mutex_wait); SET(wait_critical, on_mutex_wait);
  SET(wait_atomic, on_mutex_wait); SET(wait_ordered, on_mutex_wait);
  SET(acquired_nest_lock_next, on_nested); SET(release_nest_lock_prev, on_nested);
  SET(init_lock, on_lock); SET(init_nest_lock, on_lock); SET(destroy_lock, on_lock); SET(destroy_nest_lock, on_lock);
  SET(flush, on_flush);
  CHECK(failed == 0, "%d events cannot be registered", failed);
#ifdef Y2013
  CHECK(unsupported == 0, "%d events never occur", unsupported);
#else
  CHECK(unsupported == 2, "%d events never occur", unsupported);
#endif
  CHECK(ompt_set_callback((ompt_event_t)0, 0) == 0 && ompt_set_callback((ompt_event_t)62, 0) == 0, "no such event");
}
#endif

#ifdef Y2013
int ompt_initialize(void)
{
  char version[64], tiny[4];
  int length = ompt_get_runtime_version(version, sizeof version);
  CHECK(length == (int)strlen(version) && strchr(version, '-'), "version %s", version);
  CHECK(ompt_get_runtime_version(tiny, sizeof tiny) == length && strlen(tiny) == 3, "cut");
  CHECK(ompt_get_ompt_version() == 1, "OMPT's version");
  int state, states = 0;
  const char *name;
  for (int ok = ompt_enumerate_state(ompt_state_first, &state, &name); ok && state != ompt_state_last;
       ok = ompt_enumerate_state(state, &state, &name)) states++;
  CHECK(states == 14, "%d states", states);
  /* TAU of 2014 goes on until there is no answer. */
  for (states = 0, state = ompt_state_first; states < 99 && ompt_enumerate_state(state, &state, &name) == 1;)
    states++;
  CHECK(states == 15 && state == ompt_state_last, "%d states", states);
  set_all();
  storm();
  ompt_callback_t callback;
  CHECK(ompt_get_callback(ompt_event_flush, &callback) == 1 && callback == (ompt_callback_t)on_flush, "get");
  return getenv("OLDER_TOOL_DECLINES") == 0;
}
#endif

#ifdef Y2014
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
  CHECK(lookup("ompt_idle") && lookup("ompt_mutex_wait") && !lookup("ompt_get_parallel_function"), "lookup");
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
#endif

/* --- 2016 --------------------------------------------------------------------------------------- */
#ifdef Y2016
#ifdef OMPT_2016_IDS
#define NAME(ref) (ref)
#define NEW(ref) (ref)
#define REF uint64_t
#else
typedef ompt_data_t *word;
#define REF word
static uint64_t name_of(ompt_data_t *ref) { return ref ? ref->id : 0; }
static uint64_t new_name(ompt_data_t *ref)
{
  CHECK(ref && ref->id == 0, "a word that is not fresh");
  return ref->id = fresh();
}
#define NAME(ref) name_of(ref)
#define NEW(ref) new_name(ref)
#endif
static ompt_set_callback_t ompt_set_callback;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;
static uint64_t current_region(int level)
{
  REF region = 0;
  int size = -1;
  return get_parallel_info(level, &region, &size) ? NAME(region) : 0;
}
static uint64_t current_task(int level)
{
  REF task = 0, region = 0;
  ompt_task_type_t type = 0;
  ompt_frame_t *frame = 0;
  uint32_t num = 99;
  if (!get_task_info(level, &type, &task, &frame, &region, &num)) return 0;
  CHECK(type >= ompt_task_initial && type <= ompt_task_target && frame && num < 99, "task info");
  return NAME(task);
}
static int current_state(void) { ompt_wait_id_t wait; return get_state(&wait); }

static void on_thread_begin(ompt_thread_type_t type, REF t)
{
  CHECK(type == ompt_thread_initial || type == ompt_thread_worker, "type %d", type);
  thread_begins(NEW(t));
}
static void on_thread_end(REF t) { thread_ends(NAME(t)); }
static void on_parallel_begin(REF t, const ompt_frame_t *f, REF r, uint32_t requested, ompt_invoker_t invoker, const void *ra)
{
  CHECK(requested >= 1 && requested < 100, "requested %u", requested);
  CHECK(invoker == ompt_invoker_program || invoker == ompt_invoker_runtime, "invoker %d", invoker);
  CHECK(ra, "no return address");
  region_begins(NAME(t), f, NEW(r));
}
static void on_parallel_end(REF r, REF t, ompt_invoker_t invoker, const void *ra) { (void)invoker; (void)ra; region_ends(NAME(t), NAME(r)); }
static void on_implicit(ompt_scope_endpoint_t e, REF r, REF t, uint32_t num)
{
  CHECK(num < 100, "thread %u", num);
  implicit(e == ompt_scope_begin, NAME(r), e == ompt_scope_begin ? NEW(t) : NAME(t));
}
static void on_task_create(REF p, const ompt_frame_t *f, REF t, ompt_task_type_t type, ompt_bool_t dependent, const void *ra)
{
  (void)ra;
  CHECK(type == ompt_task_explicit && (dependent == 0 || dependent == 1), "type %d", type);
  task_created(NAME(p), f, NEW(t));
}
static void on_task_schedule(REF prior, ompt_bool_t completed, REF next)
{
  CHECK(completed == 0 || completed == 1, "completed %d", completed);
  if (completed) task_ended(NAME(prior));
  else CHECK(next, "to nothing");
  switched();
}
static void on_dependences(REF t, const ompt_task_dependence_t *deps, int n)
{
  CHECK(t && deps && n > 0, "no dependences");
  for (int i = 0; i < n; i++) CHECK(deps[i].dependence_flags >= 1 && deps[i].dependence_flags <= 3 && deps[i].variable_addr, "dependence");
  count(dependences);
}
static void on_pair(REF source, REF sink) { CHECK(source && sink, "a pair of nothing"); }
static void on_sync(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t e, REF r, REF t, const void *ra) { (void)ra; sync(0, kind, e == ompt_scope_begin, NAME(r), NAME(t)); }
static void on_sync_wait(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t e, REF r, REF t, const void *ra) { (void)ra; sync(1, kind, e == ompt_scope_begin, NAME(r), NAME(t)); }
static void on_work(ompt_worksharing_type_t kind, ompt_scope_endpoint_t e, REF r, REF t, const void *ra)
{
  (void)ra;
  CHECK(kind >= ompt_worksharing_loop && kind <= ompt_worksharing_distribute, "work %d", kind);
  if (e == ompt_scope_begin && kind == ompt_worksharing_loop) count(loops);
  if (e == ompt_scope_begin && kind == ompt_worksharing_single_executor) count(singles);
  work(kind, e == ompt_scope_begin, NAME(r), NAME(t));
}
static void on_master(ompt_scope_endpoint_t e, REF r, REF t, const void *ra) { (void)ra; master(e == ompt_scope_begin, NAME(r), NAME(t)); }
static void on_idle(ompt_scope_endpoint_t e) { idles_now(e == ompt_scope_begin); }
static __thread uint64_t asks_for;
static void on_acquire(ompt_mutex_kind_t kind, uint32_t hint, uint32_t impl, ompt_wait_id_t w, const void *ra)
{
  (void)hint; (void)impl; (void)ra;
  CHECK(!asks_for, "asks for two, or owns what it asks for");
  asks_for = w;
  CHECK(kind > ompt_mutex && kind <= ompt_mutex_ordered && w, "mutex %d", kind);
}
static void on_acquired(ompt_mutex_kind_t kind, ompt_wait_id_t w, const void *ra)
{
  (void)kind; (void)ra;
  CHECK(!asks_for || asks_for == w, "asks for one and gets another");
  asks_for = 0;
  got(w);
}
static void on_released(ompt_mutex_kind_t kind, ompt_wait_id_t w, const void *ra) { (void)kind; (void)ra; gave(w); }
static void on_nested(ompt_scope_endpoint_t e, ompt_wait_id_t w, const void *ra)
{
  (void)ra;
  static __thread int inside;
  CHECK(inside != (e == ompt_scope_begin) && w, "the inner acquisition");
  inside = e == ompt_scope_begin;
  count(nested);
}
static void on_init(ompt_bool_t nest, ompt_wait_id_t w, uint32_t hint, uint32_t kind, const void *ra) { (void)hint; (void)kind; (void)ra; CHECK((nest == 0 || nest == 1) && w, "lock"); count(locks); }
static void on_destroy(ompt_bool_t nest, ompt_wait_id_t w, const void *ra) { (void)ra; CHECK((nest == 0 || nest == 1) && w, "lock"); count(locks); }
static void on_control(uint64_t command, uint64_t modifier, const void *ra) { (void)command; (void)modifier; CHECK(ra, "no return address"); count(controls); }
static void on_flush(REF t, const void *ra) { (void)ra; CHECK(NAME(t) == self, "another thread"); flushed(); }

static ompt_get_target_info_t get_target_info;
static __thread uint64_t target_now;
static void on_target(int32_t device, ompt_target_type_t kind, REF task, ompt_scope_endpoint_t e, ompt_id_t target, const void *ra)
{
  known();
  CHECK(device == 0 && kind >= ompt_target && kind <= ompt_target_update && target && ra, "target kind %d", kind);
  CHECK(NAME(task) == current_task(0), "not in the encountering task");
  if (e == ompt_scope_begin) count(targets);
  else CHECK(target_now == target, "another target ends");
  target_now = e == ompt_scope_begin ? target : 0;
}
static void on_target_data(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t op, void *host, void *device, size_t bytes)
{
  (void)host; (void)device; (void)bytes;
  CHECK(target == target_now && operation, "an operation of another target");
  CHECK(op >= ompt_target_data_alloc && op <= ompt_target_data_delete, "operation %d", op);
}
static void on_target_submit(ompt_id_t target, ompt_id_t operation, uint32_t requested, uint32_t granted)
{
  ompt_id_t now, host_operation;
  (void)requested; (void)granted;
  CHECK(target == target_now && operation, "a region of another target");
  CHECK(get_target_info(&now, &host_operation) && now == target, "no target to ask for");
}
static void on_target_map(ompt_id_t target, uint32_t items, void **host, void **device, size_t *bytes, uint32_t *flags)
{
  CHECK(target == target_now, "a map of another target");
  for (uint32_t i = 0; i < items; i++) CHECK(host[i] == device[i] && flags[i] < 0x20 && bytes, "map");
}

static void set(int event, void *callback)
{
  int answer = ompt_set_callback((ompt_event_t)event, (ompt_callback_t)callback);
  if (answer == 0 || answer == 1) failed++;
  if (answer == 2) unsupported++;
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  CHECK(runtime && version == 2, "version %u", version);
  ompt_set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
#ifdef OMPT_2016_IDS
  CHECK(lookup("ompt_get_thread_id"), "lookup");
#else
  CHECK(lookup("ompt_get_thread_data"), "lookup");
#endif
  CHECK(!lookup("ompt_get_unique_id") && !lookup("ompt_target_get_time"), "lookup");
  CHECK(((ompt_get_num_devices_t)lookup("ompt_get_num_devices"))() == 0, "devices");
  CHECK(((ompt_target_get_device_id_t)lookup("ompt_target_get_device_id"))() == -1, "device");
  ompt_id_t target, operation;
  get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  CHECK(!get_target_info(&target, &operation), "target");
  ompt_enumerate_states_t states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
  omp_state_t state = omp_state_undefined;
  const char *name;
  int number = 0;
  while (states(state, &state, &name)) number++;
  CHECK(number == 16, "%d states", number);
  ompt_enumerate_mutex_kinds_t kinds = (ompt_enumerate_mutex_kinds_t)lookup("ompt_enumerate_mutex_kinds");
  uint32_t kind = 0;
  number = 0;
  while (kinds(kind, &kind, &name)) number++;
  CHECK(number >= 1, "no mutex kinds");

#define SET(event, callback) set(ompt_event_##event, (void *)callback)
  SET(thread_begin, on_thread_begin); SET(thread_end, on_thread_end);
  SET(parallel_begin, on_parallel_begin); SET(parallel_end, on_parallel_end);
  SET(task_create, on_task_create); SET(task_schedule, on_task_schedule); SET(implicit_task, on_implicit);
  SET(target, on_target); SET(target_data, on_target_data); SET(target_submit, on_target_submit);
  SET(target_data_map, on_target_map);
  SET(control, on_control); SET(runtime_shutdown, ends); SET(idle, on_idle);
  SET(sync_region_wait, on_sync_wait); SET(sync_region, on_sync);
  SET(mutex_release, on_released); SET(mutex_acquire, on_acquire); SET(mutex_acquired, on_acquired);
  SET(task_dependences, on_dependences); SET(task_dependence_pair, on_pair);
  SET(worksharing, on_work); SET(master, on_master);
  SET(init_lock, on_init); SET(destroy_lock, on_destroy); SET(nested_lock, on_nested); SET(flush, on_flush);
  CHECK(failed == 0 && unsupported == 0, "%d events cannot be registered, %d never occur", failed, unsupported);
  CHECK(ompt_set_callback((ompt_event_t)0, 0) == 0 && ompt_set_callback((ompt_event_t)99, 0) == 0, "no such event");
  CHECK(current_state() != omp_state_undefined, "state");
  storm();
}

ompt_initialize_fn_t *ompt_tool(void) { return getenv("OLDER_TOOL_DECLINES") ? 0 : initialize; }
#endif
