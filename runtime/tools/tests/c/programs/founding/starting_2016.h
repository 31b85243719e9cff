/* How a tool of 2016 is asked and started, and what it can look up. */
#ifndef STARTING_2016_H
#define STARTING_2016_H
#include "tool_2016.h"
#include <omp.h>
#include <pthread.h>

/* What is not there, and what only a device's lookup has. */
static const char *const unknown[] = {"", "ompt_nothing", "omp_get_thread_num", "ompt_tool",
                                      "ompt_start_tool"};
/* What this generation alone has: no other text makes it global. */
static const char *const of_2016[] = {"ompt_enumerate_states", "ompt_enumerate_mutex_kinds",
                                      "ompt_get_parallel_info", "ompt_get_task_info",
                                      "ompt_get_target_info", "ompt_target_get_device_id",
                                      "ompt_get_num_devices", "ompt_target_get_device_info"};
static void look_up_names(void) {
  for (unsigned i = 0; i < sizeof of_2016 / sizeof *of_2016; i++) {
    CHECK(lookup_name(of_2016[i]), "%s", of_2016[i]);
    CHECK(!dlsym(RTLD_DEFAULT, of_2016[i]), "%s is global", of_2016[i]);
  }
  for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++)
    CHECK(!lookup_name(unknown[i]), "\"%s\"", unknown[i]);
  CHECK(set_callback && get_callback && get_state, "functions that other texts have too");
}

/* What a registration answers, and what ompt_get_callback says of it, there and at any time. */
static void never_called(void) { CHECK(0, "told of an event without a callback"); }
static void registered(void) {
  for (int i = 0; i < EVENTS; i++) {
    ompt_callback_t found = 0;
    CHECK(get_callback(callbacks[i].event, &found) == 1, "event %d", callbacks[i].event);
    CHECK((void *)found == callbacks[i].callback, "event %d", callbacks[i].event);
  }
}
static void register_names(void) {
  /* 28 to 61 are events of other texts. */
  static const int none[] = {0, -1, 28, 40, 61, 99, 1 << 20};
  registered();
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
    ompt_callback_t found = never_called;
    CHECK(set_callback(none[i], never_called) == 0, "event %d", none[i]);
    CHECK(get_callback(none[i], &found) == 0, "event %d", none[i]);
  }
  /* Taken back: not registered, and not told. */
  ompt_callback_t found = 0;
  set_callback(ompt_event_task_create, 0);
  CHECK(get_callback(ompt_event_task_create, &found) == 0, "taken back");
}

/* The runtime is ready when the initializer runs: it has read what its environment says. */
static void runtime_is_ready(void) {
  const char *devices = getenv("OMPHALOS_DEVICES");
  int (*number)(void) = (ompt_get_num_devices_t)lookup_name("ompt_get_num_devices");
  CHECK(number() == (devices ? 2 : 0), "%d devices", number());
}

/* So the initial thread and its task have their names. */
#ifdef OMPT_2016_IDS
static uint64_t named_thread, named_task;
#endif
static void names_are_there(void) {
  struct task task;
  CHECK(get_state(0) == omp_state_work_serial && task_at(0, &task), "the initial thread");
  CHECK(task.type == ompt_task_initial && !task.number && !task.region, "the initial task");
#ifdef OMPT_2016_IDS
  named_thread = thread_now();
  named_task = task.name;
  CHECK(named_thread && named_task, "without names");
#endif
}

static void initializer(void) {
  look_up_names(), register_names(), runtime_is_ready(), names_are_there();
}
static void starting(void) {
#pragma omp parallel num_threads(2)
  CHECK(initialized == 1, "a region runs before the initializer has");
  CHECK(asked == 1 && initialized == 1, "asked %d, initialized %d", asked, initialized);
  CHECK(version_said == 2, "version %u", version_said);
  CHECK(*runtime_said, "no name of the runtime");
  ompt_callback_t found = 0;
  CHECK(get_callback(ompt_event_parallel_begin, &found) == 1, "at any time");
  CHECK((void *)found == (void *)on_parallel_begin, "at any time");
  CHECK(get_callback(ompt_event_task_create, &found) == 0, "at any time");
#ifdef OMPT_2016_IDS
  CHECK(named_thread == thread_now() && named_task == task_now(), "other names");
#endif
  forget();
#pragma omp task if (0)
  say("body");
  CHECK(!strstr(story, "create") && strstr(story, "body"), "%s", story);
}

/* Who declines gets nothing; who is switched off is not asked. */
static void declined(void) {
#pragma omp parallel num_threads(2)
  CHECK(noted == 0, "told");
  CHECK(asked == 1 && !initialized, "asked %d, initialized %d", asked, initialized);
}
static void switched_off(void) {
#pragma omp parallel num_threads(2)
  CHECK(noted == 0, "told");
  CHECK(asked == 0 && !initialized, "asked %d, initialized %d", asked, initialized);
}

/* The tool is asked before the runtime reads the environment. */
static void environment(void) { CHECK(omp_get_max_threads() == 3, "%d", omp_get_max_threads()); }

/* Each in a process of its own: the first thing of OpenMP's. */
static void first_routine(void) {
  int (*const routines[])(void) = {
      omp_get_thread_num, omp_in_parallel, omp_get_level, omp_get_active_level, omp_get_num_procs,
      omp_get_cancellation, omp_get_num_devices, omp_get_initial_device, omp_is_initial_device,
      omp_get_team_num, omp_get_num_teams, omp_in_final, omp_get_num_threads, omp_get_max_threads};
  const int answers[] = {0, 0, 0, 0, -1, 0, 0, 0, 1, 0, 1, 0, 1, -1};
  const int count = sizeof routines / sizeof *routines, which = atoi(getenv("ROUTINE"));
  if (which >= count) return (void)puts("all");
  int answer = routines[which]();
  CHECK(initialized == 1, "routine %d completes before the initializer", which);
  CHECK(answer == answers[which] || answers[which] < 0, "routine %d: %d", which, answer);
}

/* A tool that calls routines while it is asked is told of the thread all the same. */
static void while_asked(void) {
  CHECK(omp_get_max_threads() > 0 && omp_get_thread_num() == 0, "routines");
  CHECK(!initialized && !noted, "told while it is asked");
}
static void asking(void) {
#pragma omp parallel num_threads(2)
  CHECK(!strcmp(notes[0].what, "thread+") && thread_now(), "%s", story);
  CHECK(asked == 1 && initialized == 1, "asked %d, initialized %d", asked, initialized);
}

/* What is asked on a thread that OpenMP does not know, and outside of everything. */
static void *stranger(void *unused) {
  struct task task;
  uint64_t target = 7, operation = 7;
  CHECK(thread_now() == 0, "a thread without a name");
  CHECK(get_state(0) == omp_state_undefined, "state %#x", get_state(0));
  CHECK(!task_at(0, &task) && !task_at(1, &task) && !region_at(0, 0), "a task or region");
  CHECK(!get_target_info(&target, &operation), "a target");
  return unused;
}
static void *own_regions(void *unused) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    CHECK(!strcmp(notes[0].what, "thread+") && notes[0].other == thread_now(), "%s", story);
    CHECK(thread_now() && get_state(0) == omp_state_work_parallel, "state");
  }
  return unused;
}
static void threads(void) {
  pthread_t other;
  uint64_t workers[2] = {0, 0};
#pragma omp parallel num_threads(3)
  {
    int me = omp_get_thread_num();
    CHECK(!strcmp(notes[0].what, "thread+"), "member %d: %s", me, story);
    CHECK(notes[0].number == (me ? ompt_thread_worker : ompt_thread_initial), "type of %d", me);
    CHECK(thread_now() == notes[0].other && thread_now(), "thread %d", me);
    if (me) workers[me - 1] = thread_now();
  }
  CHECK(workers[0] != workers[1] && workers[0] != thread_now(), "threads share a name");
  for (int i = 0; i < 2; i++) {
    pthread_create(&other, 0, i ? own_regions : stranger, 0);
    pthread_join(other, 0);
  }
}

#endif
