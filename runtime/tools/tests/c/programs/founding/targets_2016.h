/* Target constructs that the host executes, the program's own words to its tool, and ends. */
#ifndef TARGETS_2016_H
#define TARGETS_2016_H
#include "states_2016.h"
#include <signal.h>
#include <sys/time.h>

static void controls(void) {
  void (*control)(uint64_t, uint64_t) =
      (void (*)(uint64_t, uint64_t))dlsym(RTLD_DEFAULT, "ompt_control");
  omp_get_max_threads();
  forget();
  control(1, 7);
  STORY("control");
  CHECK(noted_as("control", 0)->number == 1 && noted_as("control", 0)->other == 7, "arguments");
  CHECK(noted_as("control", 0)->current == task_now(), "in its task");
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    forget();
    control(64, 1);
    STORY("control");
    CHECK(noted_as("control", 0)->current == task_now(), "in its task");
  }
}

/* The construct of each kind: its own id, its task, its place. */
static uint64_t one_target(ompt_target_type_t kind) {
  struct note *begin = noted_as("target+", 0), *end = noted_as("target-", 0);
  CHECK(begin->number == kind && end->number == kind, "kind %d", (int)begin->number);
  CHECK(begin->other && begin->other == end->other, "its id");
  CHECK(begin->task == task_now() && begin->current == task_now(), "its task");
  CHECK(of_program(begin->ra) && begin->wait == 0, "place and device");
  CHECK(!strncmp(story, "target+", 7), "%s", story);
  if (strstr(story, "map")) {
    CHECK(noted_as("map", 0)->current == task_now(), "a map in another task");
    CHECK(noted_as("map", 0)->other == begin->other, "a map of another construct");
  }
  uint64_t target = 7, operation = 7;
  CHECK(!get_target_info(&target, &operation), "a target outside of any");
  return begin->other;
}
static void targets_of_2016(void) {
#ifndef __clang__
  int values[8] = {0};
  uint64_t ids[4];
  omp_get_max_threads();
  forget();
#pragma omp target enter data map(to : values)
  ids[0] = one_target(ompt_target_enter_data);
  forget();
#pragma omp target map(tofrom : values)
  values[0] = 1;
  ids[1] = one_target(ompt_target);
  forget();
#pragma omp target update from(values)
  ids[2] = one_target(ompt_target_update);
  forget();
#pragma omp target exit data map(from : values)
  ids[3] = one_target(ompt_target_exit_data);
  /* No device does anything. */
  CHECK(on_device == -1 && on_host == -1, "an operation without a device");
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) CHECK(ids[i] != ids[j], "two constructs, one id");
#endif
}

/* What a device does for a construct that maps one list: where it lies on either side. */
static void operations_of_2016(void) {
#ifndef __clang__
  static const char *const steps[] = {"alloc", "to", "from", "delete"};
  int values[8] = {77};
  omp_get_max_threads();
  forget();
#pragma omp target map(tofrom : values)
  values[0] = 1;
  uint64_t target = noted_as("target+", 0)->other, submit = noted_as("submit", 0)->wait;
  for (int i = 0; i < 4; i++) {
    struct note *step = noted_as(steps[i], 0);
    if (i == 1 || i == 2) CHECK(step->frame == values, "%s: host %p", steps[i], step->frame);
    CHECK(step->ra && step->ra == noted_as("alloc", 0)->ra, "%s: on the device %p", steps[i],
          step->ra);
    CHECK(step->number == sizeof values, "%s: %d bytes", steps[i], (int)step->number);
    CHECK(step->other == target && step->wait && step->wait != submit, "%s: ids", steps[i]);
    for (int j = 0; j < i; j++) CHECK(step->wait != noted_as(steps[j], 0)->wait, "one id twice");
  }
  /* Told behind the allocation, and before the rest. */
  CHECK(values[0] == 1 && on_device != 77, "before the transfer: %d", on_device);
  CHECK(at_submit == 77 && on_host == 77, "before the kernel: %d, after: %d", at_submit, on_host);
  const char *from = strstr(story, "target+");
  for (int i = 0; i < 6 && from; i++) {
    static const char *const order[] = {"alloc", "to", "submit", "from", "delete", "target-"};
    from = strstr(from, order[i]);
    CHECK(from, "no %s in its place: %s", order[i], story);
  }
#endif
}

/* Words or ids stay with their objects and are no other object's. */
static void identifiers(void) {
  enum { ROUNDS = 50 };
  static uint64_t seen[4 * ROUNDS + 1];
  int count = 0;
  omp_get_max_threads();
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t initial = task_now();
#pragma omp parallel num_threads(1)
    {
      seen[count++] = task_now();
#pragma omp task if (0) shared(count)
      {
        seen[count++] = task_now();
        CHECK(seen[count - 1] == task_now(), "a task's name changed");
      }
      CHECK(task_now() == seen[count - 2], "a task's name changed");
    }
    CHECK(task_now() == initial, "the initial task's name changed");
  }
  for (int i = 0; i < count; i++) {
    CHECK(seen[i], "a task without a name");
    for (int j = 0; j < i; j++) CHECK(seen[i] != seen[j], "two tasks, one name");
  }
  count = 0;
  for (int i = 0; i < 2 * ROUNDS; i++) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) seen[count++] = region_at(0, 0);
  }
  for (int i = 0; i < count; i++) {
    CHECK(seen[i], "a region without a name");
    for (int j = 0; j < i; j++) CHECK(seen[i] != seen[j], "two regions, one name");
  }
}

/* A handler that asks everything, all the time, on every thread. */
static long samples;
static void on_sample(int number) {
  uint64_t target, operation;
  const char *name;
  uint32_t kind;
  omp_state_t state = get_state(&target), next;
  struct task task;
  ompt_callback_t callback = 0;
  CHECK(state < 128 || state == omp_state_undefined, "state %#x", state);
  for (int level = 0; task_at(level, &task); level++) {
    CHECK(task.type >= ompt_task_initial && task.type <= ompt_task_target, "type %d", task.type);
    CHECK(task.frame && task.number < 8, "level %d", level);
    (void)region_at(level, 0);
  }
  CHECK(!get_target_info(&target, &operation), "a target");
  CHECK(enumerate_states(omp_state_undefined, &next, &name), "no states");
  CHECK(enumerate_mutex_kinds(0, &kind, &name), "no mutex kinds");
  CHECK(get_callback(ompt_event_idle, &callback) == 1, "no callback");
#ifdef OMPT_2016_IDS
  if (state != omp_state_undefined) CHECK(get_thread_id(), "no thread");
#else
  if (state != omp_state_undefined) CHECK(get_thread_data(), "no thread");
#endif
  __atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED);
  (void)number;
}
static void sampled(void) {
  struct itimerval timer = {{0, 200}, {0, 200}}, off = {{0, 0}, {0, 0}};
  omp_get_max_threads();
  telling = 0;
  omp_set_max_active_levels(2);
  signal(SIGPROF, on_sample);
  setitimer(ITIMER_PROF, &timer, 0);
  while (__atomic_load_n(&samples, __ATOMIC_RELAXED) < 100) {
#pragma omp parallel num_threads(3)
    {
#pragma omp task
      x++;
#pragma omp critical
      x++;
#pragma omp barrier
#pragma omp parallel num_threads(2)
      say("");
    }
  }
  setitimer(ITIMER_PROF, &off, 0);
}

/* At the runtime's end each worker has ended, and the tool is told once: it says so then. */
static void ending(void) {
  says_end = 1;
#pragma omp parallel num_threads(3)
  __asm__ volatile("");
  CHECK(shut_down == 0 && workers_ended == 0, "ended before the end");
}

#endif
