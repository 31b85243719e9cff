/* Every event, and the state that each thread is in then. */
#ifndef EVENTS_H
#define EVENTS_H
#include "client.h"
#include <omp.h>
#include <unistd.h>

static int seen[OMP_EVENT_THR_END_ATWT + 1];
static int wrong_state[OMP_EVENT_THR_END_ATWT + 1];
static __thread int depth[OMP_EVENT_THR_END_ATWT + 1];

static int state_of(int event) {
  switch (event) {
  case OMP_EVENT_THR_BEGIN_IDLE: return THR_IDLE_STATE;
  case OMP_EVENT_THR_BEGIN_IBAR: return THR_IBAR_STATE;
  case OMP_EVENT_THR_BEGIN_EBAR: return THR_EBAR_STATE;
  case OMP_EVENT_THR_BEGIN_LKWT: return THR_LKWT_STATE;
  case OMP_EVENT_THR_BEGIN_CTWT: return THR_CTWT_STATE;
  case OMP_EVENT_THR_BEGIN_ODWT: return THR_ODWT_STATE;
  case OMP_EVENT_THR_BEGIN_ATWT: return THR_ATWT_STATE;
  default: return 0;
  }
}

static void on_event(OMP_COLLECTORAPI_EVENT event) {
  __atomic_add_fetch(&seen[event], 1, __ATOMIC_RELAXED);
  if (event > 2) {
    int begin = event & 1 ? event : event - 1;
    depth[begin] += event & 1 ? 1 : -1;
    CHECK(depth[begin] == (event & 1), "event %d: depth %d", event, depth[begin]);
  }
  uint64_t wait = 0;
  int now = state_at(12, 4, &wait);
  if (state_of(event) && now != state_of(event))
    __atomic_add_fetch(&wrong_state[event], 1, __ATOMIC_RELAXED);
  if (event >= OMP_EVENT_THR_BEGIN_IBAR && event < OMP_EVENT_THR_BEGIN_MASTER &&
      now == state_of(event))
    CHECK(wait != 0, "event %d: no wait id", event);
}

/* No event comes of constructs that a compiler makes without a call: GCC's master. And no test can
 * make sure that an atomic construct has to wait. */
static int may_be_silent(int event) {
#ifndef __clang__
  if (event == OMP_EVENT_THR_BEGIN_MASTER || event == OMP_EVENT_THR_END_MASTER) return 1;
#endif
  return event == OMP_EVENT_THR_BEGIN_ATWT || event == OMP_EVENT_THR_END_ATWT;
}

static void work(void) {
  static omp_lock_t lock;
  static omp_nest_lock_t nest;
  static long double wide;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
  {
#pragma omp barrier
#pragma omp critical
    usleep(3000);
    omp_set_lock(&lock);
    usleep(3000);
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    usleep(3000);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
#pragma omp master
    usleep(10);
#pragma omp single
    usleep(10);
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 8; i++) {
#pragma omp ordered
      usleep(3000);
    }
    for (int i = 0; i < 2000; i++) {
#pragma omp atomic
      wide += 1;
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  CHECK(wide > 0, "the sum");
}

static void events(void) {
  simple(OMP_REQ_START);
  for (int event = OMP_EVENT_FORK; event <= OMP_EVENT_THR_END_ATWT; event++)
    CHECK(packed_register(event, on_event) == OMP_ERRCODE_OK, "event %d", event);
  work();
  work();
  simple(OMP_REQ_PAUSE);
  for (int event = OMP_EVENT_FORK; event <= OMP_EVENT_THR_END_ATWT; event++) {
    CHECK(seen[event] || may_be_silent(event), "event %d never came", event);
    CHECK(!wrong_state[event], "event %d in another state, %d times", event, wrong_state[event]);
  }
}

#endif
