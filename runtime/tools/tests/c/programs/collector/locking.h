/* A callback that takes a lock of OpenMP's. */
#ifndef LOCKING_H
#define LOCKING_H
#include "client.h"
#include <omp.h>
#include <unistd.h>

static omp_lock_t of_program, of_client;
static __thread int inside, waits;
static void on_wait(OMP_COLLECTORAPI_EVENT event) {
  CHECK(!inside, "event %d while a callback runs", event);
  if (inside) return;
  inside = 1;
  waits += event == OMP_EVENT_THR_BEGIN_LKWT ? 1 : -1;
  CHECK(waits == (event == OMP_EVENT_THR_BEGIN_LKWT), "event %d: %d waits", event, waits);
  omp_set_lock(&of_client);
  usleep(1000);
  omp_unset_lock(&of_client);
  inside = 0;
}

static void locking(void) {
  simple(OMP_REQ_START);
  packed_register(OMP_EVENT_THR_BEGIN_LKWT, on_wait);
  packed_register(OMP_EVENT_THR_END_LKWT, on_wait);
  omp_init_lock(&of_program);
  omp_init_lock(&of_client);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 20; i++) {
    omp_set_lock(&of_program);
    CHECK(waits == 0, "%d waits with the lock", waits);
    usleep(100);
    omp_unset_lock(&of_program);
  }
}

#endif
