/* Each state of 2016 on a thread that stands where the text puts it, with its wait id; and frames
 * of tasks. */
#ifndef STATES_2016_H
#define STATES_2016_H
#include "constructs_2016.h"

static struct { omp_state_t state; ompt_wait_id_t wait; struct task task; } answer;
static void answer_here(void) {
  answer.state = get_state(&answer.wait);
  task_at(0, &answer.task);
}
static int in_state(int wanted) { return (int)answer.state == wanted; }

static int expected_state, looks;
static uint64_t waits_seen[16];
static void first_looks(void) {
  uint64_t wait = 0, region = region_at(0, 0);
  CHECK(get_state(0) == omp_state_work_parallel, "who holds it works: %#x", get_state(0));
  for (int i = 1; i < MEMBERS; i++) {
    CHECK(comes_to(member[i], in_state, expected_state), "never in state %#x: %#x",
          expected_state, answer.state);
    CHECK(answer.task.region == region && (int)answer.task.number == i, "another task's");
    CHECK(i == 1 || wait == answer.wait, "two wait for one thing by two ids");
    wait = answer.wait;
  }
  waits_seen[looks++] = wait;
}

static void states_at_mutexes(void) {
  static const int states[MUTEXES] = {omp_state_wait_lock, omp_state_wait_lock,
                                      omp_state_wait_critical, omp_state_wait_critical,
                                      omp_state_wait_atomic};
  omp_get_max_threads();
  telling = 0;
  make_standing();
  for (int where = 0; where < MUTEXES; where++) {
    expected_state = states[where];
    stand_in_mutex(where);
  }
  expected_state = omp_state_wait_ordered;
  stand_in_ordered();
  CHECK(looks == MUTEXES + 1, "%d looks", looks);
  for (int i = 0; i < looks; i++) {
    CHECK(waits_seen[i], "look %d: no wait id", i);
    for (int j = 0; j < i; j++) CHECK(waits_seen[i] != waits_seen[j], "%d and %d are one", i, j);
  }
}

static void states_at_barriers(void) {
  omp_get_max_threads();
  telling = 0;
  make_standing();
  CHECK(get_state(0) == omp_state_work_serial, "state %#x", get_state(0));
  for (int where = 0; where < BARRIERS; where++) {
#ifndef __clang__
    /* GCC's code calls the same function for it as for a barrier directive. */
    if (where == AT_SINGLE) continue;
#endif
    expected_state = where == AT_BARRIER ? omp_state_wait_barrier_explicit
                                         : omp_state_wait_barrier_implicit;
    stand_at_barrier(where);
  }
  for (int i = 1; i < MEMBERS; i++)
    CHECK(comes_to(member[i], in_state, omp_state_idle), "state %#x", answer.state);
}

/* A taskwait and a taskgroup's end, whose task another thread executes. */
static void waits_for_task(int group) {
  static pthread_t waiting;
  static int taken;
  taken = 0;
  signalled = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      waiting = pthread_self();
#pragma omp taskgroup
      {
#pragma omp task
        {
          __atomic_store_n(&taken, 1, __ATOMIC_RELEASE);
          CHECK(omp_get_thread_num() == 0, "executed by its maker");
          CHECK(comes_to(waiting, in_state, expected_state), "never in state %#x: %#x",
                expected_state, answer.state);
        }
        while (!__atomic_load_n(&taken, __ATOMIC_ACQUIRE)) sched_yield();
        if (!group) {
#pragma omp taskwait
        }
      }
    }
  }
}
static void states_at_tasks(void) {
  omp_get_max_threads();
  telling = 0;
  make_standing();
  expected_state = omp_state_wait_taskwait;
  waits_for_task(0);
  expected_state = omp_state_wait_taskgroup;
  waits_for_task(1);
}

/* The enumeration has every state of the text that is reported, by name, and no other below 128. */
static void enumerated_states(void) {
  static const char *const names[] = {"omp_state_idle", "omp_state_work_serial",
                                      "omp_state_work_parallel", "omp_state_wait_barrier_implicit",
                                      "omp_state_wait_barrier_explicit", "omp_state_wait_taskwait",
                                      "omp_state_wait_taskgroup", "omp_state_wait_lock",
                                      "omp_state_wait_critical", "omp_state_wait_atomic",
                                      "omp_state_wait_ordered", "omp_state_overhead"};
  enum { NAMES = sizeof names / sizeof *names };
  omp_get_max_threads();
  omp_state_t state = omp_state_undefined;
  const char *name = 0;
  int found = 0, seen[256] = {0};
  while (enumerate_states(state, &state, &name)) {
    CHECK(state < 128 && !seen[state]++, "state %#x", state);
    for (int i = 0; i < NAMES; i++) found += !strcmp(name, names[i]);
  }
  CHECK(found == NAMES, "%d of %d names", found, NAMES);
}

/* The four cases of the table of frames; addresses grow outwards. */
static __attribute__((noinline)) void frames_inside(struct task *outer) {
  char local;
  struct task own, around;
  CHECK(task_at(0, &own) && own.frame->exit_frame && !own.frame->enter_frame, "in user code");
  CHECK((char *)own.frame->exit_frame > &local, "the runtime's frame is below the user's");
  CHECK(task_at(1, &around) && around.name == outer->name, "the task around it");
  CHECK(around.frame->enter_frame, "it has entered the runtime");
  if (own.type == ompt_task_explicit) {
    CHECK(around.frame->exit_frame && around.type == ompt_task_implicit, "defined, defined");
    return;
  }
  CHECK(!around.frame->exit_frame && around.type == ompt_task_initial, "null, defined");
#pragma omp task if (0)
  frames_inside(&own);
  CHECK(task_at(0, &own) && own.frame->exit_frame && !own.frame->enter_frame, "cleared");
}
void frames_of_2016(void) {
  struct task own;
  omp_get_max_threads();
  CHECK(task_at(0, &own) && !own.frame->exit_frame && !own.frame->enter_frame, "null, null");
#pragma omp parallel num_threads(1)
  frames_inside(&own);
  CHECK(noted_as("parallel+", 0)->frame == own.frame, "another frame");
  CHECK(task_at(0, &own) && !own.frame->exit_frame && !own.frame->enter_frame, "cleared");
}

#endif
