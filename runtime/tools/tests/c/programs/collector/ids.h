/* Ids of regions and of those around them. */
#ifndef IDS_H
#define IDS_H
#include "client.h"
#include <omp.h>
#include <pthread.h>

static uint64_t forked[64], parents[64];
static int regions;
static void on_nested_fork(OMP_COLLECTORAPI_EVENT event) {
  int at = __atomic_fetch_add(&regions, 1, __ATOMIC_RELAXED);
  forked[at] = current();
  parents[at] = id(OMP_REQ_PARENT_PRID, 0);
  (void)event;
}

static uint64_t parent_of(uint64_t region) {
  for (int i = 0; i < regions; i++)
    if (forked[i] == region) return parents[i];
  CHECK(0, "no FORK said %#lx", (unsigned long)region);
  return -1;
}

/* The thread is where it was before the fork: in the region around, or serial and in none. */
static int joins;
static __thread uint64_t around;
static __thread int is_stranger;
static void on_nested_join(OMP_COLLECTORAPI_EVENT event) {
#ifdef TAU
  /* To TAU the region that ends is the current one still; its parent is that of the fork. */
  uint64_t ended = current();
  CHECK(ended && parent_of(ended) == id(OMP_REQ_PARENT_PRID, 0), "ended %#lx",
        (unsigned long)ended);
  CHECK(state() == THR_OVHD_STATE, "state %d", state());
#else
  int code;
  CHECK(current() == around, "%#lx", (unsigned long)current());
  CHECK(state() == (around ? THR_WORK_STATE : THR_SERIAL_STATE), "state %d", state());
  uint64_t parent = id(OMP_REQ_PARENT_PRID, &code);
  if (omp_get_thread_num() == 0 && !is_stranger)
    CHECK(!code && parent == (around ? parent_of(around) : 0), "%#lx", (unsigned long)parent);
  else CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
#endif
  __atomic_add_fetch(&joins, 1, __ATOMIC_RELAXED);
  (void)event;
}

static void *stranger(void *unused) {
  int code;
  is_stranger = 1;
  CHECK(state() == THR_SERIAL_STATE, "a thread that OpenMP does not know");
  CHECK(current() == 0, "a thread that OpenMP does not know");
  id(OMP_REQ_PARENT_PRID, &code);
  CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    CHECK(id(OMP_REQ_PARENT_PRID, &code) == 0 && code == 0, "master of a region: %d", code);
  }
  id(OMP_REQ_PARENT_PRID, &code);
  CHECK(code == OMP_ERRCODE_THREAD_ERR, "outside again: %d", code);
  return unused;
}

static void ids(void) {
  simple(OMP_REQ_START);
  packed_register(OMP_EVENT_FORK, on_nested_fork);
  packed_register(OMP_EVENT_JOIN, on_nested_join);
  omp_set_max_active_levels(3);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
    {
      uint64_t outer = current();
      int code;
      uint64_t parent = id(OMP_REQ_PARENT_PRID, &code);
      if (omp_get_thread_num() == 0) CHECK(code == 0 && parent == 0, "%d", code);
      else CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
      CHECK(outer && parent_of(outer) == 0, "outermost");
      around = outer;
#pragma omp barrier
#pragma omp parallel num_threads(2)
      {
        uint64_t inner = current();
        CHECK(inner && inner != outer && parent_of(inner) == outer, "inner");
        parent = id(OMP_REQ_PARENT_PRID, &code);
        if (omp_get_thread_num() == 0) CHECK(code == 0 && parent == outer, "%d", code);
        else CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
        around = inner;
#pragma omp parallel num_threads(1)
        CHECK(parent_of(current()) == inner, "innermost");
        around = outer;
      }
      CHECK(current() == outer, "back");
      around = 0;
    }
    CHECK(current() == 0, "outside again");
  }
  CHECK(regions == 3 * (1 + 2 + 4) && joins == regions, "%d %d", regions, joins);
  for (int i = 0; i < regions; i++)
    for (int j = 0; j < i; j++) {
      CHECK(forked[i] != forked[j], "ids are unique");
      CHECK((uint32_t)forked[i] != (uint32_t)forked[j], "for a client that reads half of it");
    }
  pthread_t thread;
  pthread_create(&thread, 0, stranger, 0);
  pthread_join(thread, 0);
}

#endif
