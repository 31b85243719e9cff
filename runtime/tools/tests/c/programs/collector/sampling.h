/* A sampling profiler: its signal handler asks while the program starts and stops sessions. */
#ifndef SAMPLING_H
#define SAMPLING_H
#include "client.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile long samples, bad_samples;
static void on_signal(int number) {
  (void)number;
  int list[] = {28, OMP_REQ_STATE, -1, -1, -1, -1, -1, 24, OMP_REQ_CURRENT_PRID, -1, -1, -1, -1, 0};
  int rc = api(list);
  int ok = list[2] == OMP_ERRCODE_OK && list[4] >= THR_OVHD_STATE && list[4] < THR_LAST_STATE &&
           list[9] == OMP_ERRCODE_OK;
  int none = list[2] == OMP_ERRCODE_SEQUENCE_ERR || list[9] == OMP_ERRCODE_SEQUENCE_ERR;
  __atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED);
  if (rc || !(ok || none)) __atomic_add_fetch(&bad_samples, 1, __ATOMIC_RELAXED);
}

static void sampling(void) {
  signal(SIGPROF, on_signal);
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_PROF, &timer, 0);
  for (int round = 0; samples < 100; round++) {
    simple(OMP_REQ_START);
    packed_register(OMP_EVENT_FORK, ignore);
    packed_register(OMP_EVENT_THR_BEGIN_IBAR, ignore);
    for (int i = 0; i < 50; i++) {
#pragma omp parallel num_threads(1 + i % 4)
      {
        double sum = 0;
        for (int k = 0; k < 3000; k++) sum += k;
        if (sum < 0) abort();
#pragma omp barrier
      }
    }
    simple(round & 1 ? OMP_REQ_PAUSE : OMP_REQ_RESUME);
    simple(OMP_REQ_STOP);
  }
  struct itimerval off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &off, 0);
  CHECK(bad_samples == 0, "%ld samples, %ld bad", samples, bad_samples);
}

#endif
