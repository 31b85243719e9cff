/* A client that comes late, among threads at work. */
#ifndef LATE_H
#define LATE_H
#include "client.h"
#include <omp.h>
#include <pthread.h>

enum { LATE = 3 };
static pthread_barrier_t meeting;
static int heard;

static void on_barrier(OMP_COLLECTORAPI_EVENT event) {
  (void)event;
  __atomic_add_fetch(&heard, 1, __ATOMIC_RELAXED);
}

static void listen_late(void) {
  CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_OK, "START");
  CHECK(packed_register(OMP_EVENT_THR_BEGIN_EBAR, on_barrier) == OMP_ERRCODE_OK, "REGISTER");
}

static void one_barrier(void) {
#pragma omp critical
  __asm__ volatile("");
#pragma omp barrier
}

static void meet(void) { pthread_barrier_wait(&meeting); }

/* Four barriers, with the main thread's requests between them. */
static void four_barriers(void) {
  for (int i = 0; i < 4; i++) {
    one_barrier();
    meet();
    meet();
  }
}

static void *at_work(void *leaves) {
  if (leaves) {
    one_barrier();
    pthread_exit(0);
  }
  four_barriers();
  return 0;
}

/* Requests while `others` threads wait between two barriers: nobody hears the first, all hear the
 * second, nobody the third, all the fourth. */
static void change_sides(int others) {
  heard = 0;
  meet();
  CHECK(heard == 0, "%d", heard);
  listen_late();
  meet();
  meet();
  CHECK(heard == others, "%d of %d", heard, others);
  CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_OK, "STOP");
  meet();
  meet();
  CHECK(heard == others, "%d of %d after STOP", heard, others);
  listen_late();
  meet();
  meet();
  CHECK(heard == 2 * others, "%d of %d", heard, 2 * others);
  CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_OK, "STOP");
  meet();
}

static void *request(void *threads) {
  change_sides(*(int *)threads);
  return 0;
}

static void late(void) {
  pthread_t threads[32];
  /* Threads that knew the runtime and are gone when a client comes. */
  for (int i = 0; i < 32; i++) pthread_create(&threads[i], 0, at_work, "");
  for (int i = 0; i < 32; i++) pthread_join(threads[i], 0);
  pthread_barrier_init(&meeting, 0, LATE + 1);
  for (int i = 0; i < LATE; i++) pthread_create(&threads[i], 0, at_work, 0);
  change_sides(LATE);
  for (int i = 0; i < LATE; i++) pthread_join(threads[i], 0);
  /* The threads of one team, and their requests from outside. */
  int members = 0;
#pragma omp parallel num_threads(LATE)
  {
#pragma omp single
    members = omp_get_num_threads();
  }
  pthread_barrier_destroy(&meeting);
  pthread_barrier_init(&meeting, 0, members + 1);
  pthread_create(&threads[0], 0, request, &members);
#pragma omp parallel num_threads(LATE)
  four_barriers();
  pthread_join(threads[0], 0);
}

#endif
