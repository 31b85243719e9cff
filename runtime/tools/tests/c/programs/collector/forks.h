/* Two regions, and a callback that counts them. */
#ifndef FORKS_H
#define FORKS_H
#include "client.h"

static int forks;
static void on_fork(OMP_COLLECTORAPI_EVENT event) {
  CHECK(event == OMP_EVENT_FORK, "event %d", event);
  __atomic_add_fetch(&forks, 1, __ATOMIC_RELAXED);
}
static void fork_twice(void) {
  for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
  }
}

#endif
