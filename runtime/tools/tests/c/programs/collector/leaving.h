/* A worker's region. */
#ifndef LEAVING_H
#define LEAVING_H
#include "client.h"
#include <omp.h>

/* A timer that is named for the region and runs while the worker serves it, as TAU has it:
 * CURRENT_PRID is asked at both ends. Other clients than TAU are in no region where a worker begins
 * to be idle, as the state says. */
static __thread uint64_t served;
static __thread int left;
static void on_idle(OMP_COLLECTORAPI_EVENT event) {
  if (event == OMP_EVENT_THR_END_IDLE) {
    served = current();
    CHECK(served != 0, "no region to serve");
  } else {
#ifdef TAU
    uint64_t expected = served;
#else
    uint64_t expected = 0;
#endif
    CHECK(current() == expected, "left %#lx, served %#lx", (unsigned long)current(),
          (unsigned long)served);
    CHECK(state() == THR_IDLE_STATE, "state %d", state());
    if (served) left++;
    served = 0;
  }
}

static void leaving(void) {
  simple(OMP_REQ_START);
  packed_register(OMP_EVENT_THR_BEGIN_IDLE, on_idle);
  packed_register(OMP_EVENT_THR_END_IDLE, on_idle);
  for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
      CHECK(served != 0 && served == current(), "served %#lx", (unsigned long)served);
      CHECK(left == i, "left %d of %d regions", left, i);
    }
  }
  /* The primary thread is never idle, and a new worker has left nothing. */
  CHECK(left == 0 && served == 0, "the primary thread");
#pragma omp parallel num_threads(4)
  CHECK(left == 0 || (left == 100 && omp_get_thread_num() != 0), "left %d", left);
  CHECK(current() == 0, "outside");
}

#endif
