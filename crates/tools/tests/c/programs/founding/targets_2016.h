/* Target constructs that the host executes, the program's own words to its tool, and ends. */
#ifndef TARGETS_2016_H
#define TARGETS_2016_H
#include "states_2016.h"
#include <unistd.h>

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
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) CHECK(ids[i] != ids[j], "two constructs, one id");
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
  uint64_t region = 0;
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
      CHECK(region_at(0, 0) && region_at(0, 0) > region, "a region's name is not new");
      region = region_at(0, 0);
    }
  }
}

/* At the runtime's end each worker has ended, and the tool is told once: it says so then. */
static void ending(void) {
#pragma omp parallel num_threads(3)
  __asm__ volatile("");
  CHECK(shut_down == 0 && workers_ended == 0, "ended before the end");
}

#endif
