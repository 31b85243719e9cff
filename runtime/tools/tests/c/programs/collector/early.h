/* A client that comes before the runtime: START from .preinit_array. Included only where that is
 * the check, since it starts a session in every process. */
#ifndef EARLY_H
#define EARLY_H
#include "client.h"
#include "forks.h"
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

static int early_code = -1;
static void early(void) {
  find_api();
  early_code = simple(OMP_REQ_START);
  packed_register(OMP_EVENT_FORK, on_fork);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = early;

static void *before_the_runtime(void *unused) {
  int code;
  id(OMP_REQ_PARENT_PRID, &code);
  CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
  return unused;
}

static void after_early(void) {
  CHECK(early_code == OMP_ERRCODE_OK, "%d", early_code);
  CHECK(current() == 0 && id(OMP_REQ_PARENT_PRID, 0) == 0, "the initial thread");
  pthread_t thread;
  pthread_create(&thread, 0, before_the_runtime, 0);
  pthread_join(thread, 0);
  /* The session waits for the runtime: what the program sets for itself still counts. */
  setenv("OMP_NUM_THREADS", "3", 1);
  CHECK(omp_get_max_threads() == 3, "%d", omp_get_max_threads());
  CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_SEQUENCE_ERR, "second START");
  CHECK(state() == THR_SERIAL_STATE, "state %d", state());
  fork_twice();
  CHECK(forks == 2, "%d", forks);
}

#endif
