/* A library whose constructor uses OpenMP, and that may be initialised before the runtime: nothing
 * says that it needs that. With EARLY_CLIENT in the environment it is a client of the Collector API
 * too, which begins its session before. */
#define _GNU_SOURCE
#include "../collector/client.h"
#include <omp.h>
#include <stdlib.h>

static int members, forks;
static void fork_seen(OMP_COLLECTORAPI_EVENT event) { forks += event == OMP_EVENT_FORK; }

__attribute__((constructor)) static void begin(void) {
  if (getenv("EARLY_CLIENT")) {
    find_api();
    CHECK(api && simple(OMP_REQ_START) == OMP_ERRCODE_OK, "no session");
    packed_register(OMP_EVENT_FORK, fork_seen);
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    members++;
  }
}

/* What a program asks at its end. */
int early_members(void) { return failures ? -1 : members; }
int early_forks(void) { return forks; }
