/* When events of 2007 come, on which thread, and to whom. */
#ifndef EVENTS_2007_H
#define EVENTS_2007_H
#include "states_2007.h"

/* Requests and their effects, whoever makes them. */
static pthread_t told_on;
static int told_times, told_last, told_other;
static void note_thread(OMP_COLLECTORAPI_EVENT event) {
  told_on = pthread_self();
  told_last = event;
  told_times++;
}
static void note_other(OMP_COLLECTORAPI_EVENT event) {
  CHECK(event == OMP_EVENT_JOIN, "event %d for the callback of another", event);
  told_other++;
}
static void one_region(void) {
#pragma omp parallel num_threads(2)
  __asm__ volatile("");
}
static void *start_here(void *unused) {
  CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_OK, "START on a thread of the program's own");
  return unused;
}
static void *region_here(void *unused) {
  one_region();
  CHECK(pthread_equal(told_on, pthread_self()), "told on another thread");
  return unused;
}
static void run_on_thread(void *(*what)(void *)) {
  pthread_t other;
  pthread_create(&other, 0, what, 0);
  pthread_join(other, 0);
}

static void callers(void) {
  run_on_thread(start_here);
  /* A worker registers; whoever forks is told. */
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    CHECK(packed_register(OMP_EVENT_FORK, note_thread) == OMP_ERRCODE_OK, "REGISTER");
  CHECK(told_times == 0, "told of what was before");
  one_region();
  CHECK(told_times == 1 && told_last == OMP_EVENT_FORK, "%d times, %d", told_times, told_last);
  CHECK(pthread_equal(told_on, pthread_self()), "told on the thread that registered");
  run_on_thread(region_here);
  CHECK(told_times == 2, "%d", told_times);
  /* A callback for each event, and one for several. */
  packed_register(OMP_EVENT_JOIN, note_other);
  one_region();
  CHECK(told_times == 3 && told_other == 1, "%d, %d", told_times, told_other);
  packed_register(OMP_EVENT_JOIN, note_thread);
  one_region();
  CHECK(told_times == 5 && told_other == 1 && told_last == OMP_EVENT_JOIN, "%d", told_times);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    int join = OMP_EVENT_JOIN;
    CHECK(ask(OMP_REQ_UNREGISTER, 4, &join, 4).code == OMP_ERRCODE_OK, "UNREGISTER");
  }
  CHECK(told_times == 6, "%d", told_times);
  /* Any thread ends a session and begins another, which knows no callback. */
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_OK, "STOP");
    CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_OK, "START on a worker");
  }
  one_region();
  CHECK(told_times == 7, "%d", told_times);
}

/* What a thread was told, with what it did itself between. */
static __thread int story[64], steps;
static void step(int what) { if (steps < 64) story[steps++] = what; }
static void note_step(OMP_COLLECTORAPI_EVENT event) { step(event); }
enum { DONE_HERE = -1 };

static void is_story(const char *what, const int *wanted, int length) {
  CHECK(steps == length, "%s: %d steps, not %d", what, steps, length);
  for (int i = 0; i < length && i < steps; i++)
    CHECK(story[i] == wanted[i], "%s: step %d is %d, not %d", what, i, story[i], wanted[i]);
  steps = 0;
}
#define IS_STORY(what, ...)                                                                        \
  do {                                                                                             \
    const int wanted[] = {__VA_ARGS__};                                                            \
    is_story(what, wanted, sizeof wanted / sizeof *wanted);                                        \
  } while (0)

static int executor;
static void constructs(void) {
  simple(OMP_REQ_START);
  for (int event = OMP_EVENT_THR_BEGIN_MASTER; event <= OMP_EVENT_THR_END_ORDERED; event++)
    packed_register(event, note_step);
#pragma omp parallel num_threads(2)
  {
    /* GCC's code makes no call for it. */
#pragma omp master
    step(DONE_HERE);
#ifdef __clang__
    if (omp_get_thread_num() == 0)
      IS_STORY("master", OMP_EVENT_THR_BEGIN_MASTER, DONE_HERE, OMP_EVENT_THR_END_MASTER);
#endif
    steps = 0;
#pragma omp single
    {
      executor = omp_get_thread_num();
      step(DONE_HERE);
    }
    /* GCC's code makes no call behind it: the next barrier ends it at the latest. */
    if (executor == omp_get_thread_num()) {
#ifdef __clang__
      IS_STORY("single", OMP_EVENT_THR_BEGIN_SINGLE, DONE_HERE, OMP_EVENT_THR_END_SINGLE);
#else
      CHECK(steps && story[0] == OMP_EVENT_THR_BEGIN_SINGLE, "single");
#endif
    } else CHECK(steps == 0, "told of another's single region");
    steps = 0;
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 4; i++) {
#pragma omp ordered
      step(DONE_HERE);
    }
    IS_STORY("ordered", OMP_EVENT_THR_BEGIN_ORDERED, DONE_HERE, OMP_EVENT_THR_END_ORDERED,
             OMP_EVENT_THR_BEGIN_ORDERED, DONE_HERE, OMP_EVENT_THR_END_ORDERED);
  }
}

/* A thread that executes a task inside a barrier has left the barrier's state meanwhile. */
static __thread int at_barrier;
static int barriers_begun;
static void note_barrier(OMP_COLLECTORAPI_EVENT event) {
  int begins = event == OMP_EVENT_THR_BEGIN_IBAR || event == OMP_EVENT_THR_BEGIN_EBAR;
  CHECK(at_barrier == !begins, "event %d, and at a barrier: %d", event, at_barrier);
  at_barrier = begins;
  __atomic_add_fetch(&barriers_begun, begins, __ATOMIC_RELAXED);
}
static void make_tasks(void) {
  for (int i = 0; omp_get_thread_num() == 0 && i < 8; i++)
#pragma omp task
    CHECK(!at_barrier && state() == THR_WORK_STATE, "a task in state %d", state());
}
static void tasks_at_barriers(void) {
  simple(OMP_REQ_START);
  for (int event = OMP_EVENT_THR_BEGIN_IBAR; event <= OMP_EVENT_THR_END_EBAR; event++)
    packed_register(event, note_barrier);
#pragma omp parallel num_threads(2)
  {
    make_tasks();
#pragma omp barrier
    CHECK(!at_barrier, "behind a barrier");
    make_tasks();
  }
  CHECK(!at_barrier, "behind the region");
  /* Two threads at two barriers, and once more behind each of the 16 tasks. */
  CHECK(barriers_begun == 20, "%d times at a barrier", barriers_begun);
}

/* FORK before anybody works, JOIN when all have; IDLE around what a worker does. */
static int begun, finished, on_worker;
static void note_region(OMP_COLLECTORAPI_EVENT event) {
  int all = event == OMP_EVENT_JOIN ? 2 : 0;
  CHECK(begun == all && finished == all, "event %d: %d of %d", event, finished, begun);
  step(event);
}
static void member_works(void) {
  __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
  step(DONE_HERE);
  __atomic_add_fetch(&finished, 1, __ATOMIC_RELAXED);
}
static void regions_and_events(void) {
  simple(OMP_REQ_START);
  omp_set_max_active_levels(2);
  packed_register(OMP_EVENT_FORK, note_region);
  packed_register(OMP_EVENT_JOIN, note_region);
  packed_register(OMP_EVENT_THR_BEGIN_IDLE, note_step);
  packed_register(OMP_EVENT_THR_END_IDLE, note_step);
  for (int i = 0; i < 3; i++) {
    begun = finished = 0;
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 1 && i == 0)
        CHECK(steps && story[steps - 1] == OMP_EVENT_THR_END_IDLE, "a new worker was idle");
      if (omp_get_thread_num() == 1 && i) {
        CHECK(steps == 2, "%d steps", steps);
        CHECK(story[0] == OMP_EVENT_THR_BEGIN_IDLE && story[1] == OMP_EVENT_THR_END_IDLE, "idle");
      }
      member_works();
      if (omp_get_thread_num() == 1) steps = 0;
    }
    IS_STORY("region", OMP_EVENT_FORK, DONE_HERE, OMP_EVENT_JOIN);
  }
  /* A region inside a region is its own encountering thread's. */
  int begin = OMP_EVENT_THR_BEGIN_IDLE, end = OMP_EVENT_THR_END_IDLE;
  ask(OMP_REQ_UNREGISTER, 4, &begin, 4);
  ask(OMP_REQ_UNREGISTER, 4, &end, 4);
  begun = finished = 0;
#pragma omp parallel num_threads(2)
  {
    steps = 0;
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
      member_works();
      IS_STORY("inner region", OMP_EVENT_FORK, DONE_HERE, OMP_EVENT_JOIN);
      on_worker = 1;
    } else CHECK(steps == 0, "told of another's region");
  }
  CHECK(on_worker, "no region inside");
  steps = 0;
}

static void note_overhead(OMP_COLLECTORAPI_EVENT event) {
  CHECK(event == OMP_EVENT_FORK && state() == THR_OVHD_STATE, "state %d", state());
  told_times++;
}
static void preparing(void) {
  simple(OMP_REQ_START);
  packed_register(OMP_EVENT_FORK, note_overhead);
  one_region();
  CHECK(told_times == 1, "%d", told_times);
}

#endif
