/* A collector as section 5 has it: a library that is preloaded, whose initializer asks the dynamic
 * linker for the interface, begins a session and asks for forks. At the end it says what it saw. */
#define _GNU_SOURCE
#include "../collector/client.h"

static int forks, joins;
static void on_fork(OMP_COLLECTORAPI_EVENT event) { (void)event, forks++; }
static void on_join(OMP_COLLECTORAPI_EVENT event) { (void)event, joins++; }

__attribute__((constructor)) static void begin(void) {
  find_api();
  if (!api) return;
  CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_OK, "START");
  CHECK(packed_register(OMP_EVENT_FORK, on_fork) == OMP_ERRCODE_OK, "FORK");
  CHECK(packed_register(OMP_EVENT_JOIN, on_join) == OMP_ERRCODE_OK, "JOIN");
}
__attribute__((destructor)) static void say(void) {
  fprintf(stderr, "collector: %s, forks %d, joins %d, failures %d\n",
          api ? "OpenMP" : "no OpenMP", forks, joins, failures);
}
