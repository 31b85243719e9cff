/* A client of the Collector API and the program it looks at, in one: it finds the interface as the
 * tools of its time did, and checks what it is answered. The first argument names the check; each
 * has a file of its own. With -DEARLY the client is there before the runtime. */
#define _GNU_SOURCE
#include "collector/client.h"
#include "collector/events.h"
#include "collector/fuzz.h"
#include "collector/ids.h"
#include "collector/late.h"
#include "collector/layouts.h"
#include "collector/leaving.h"
#include "collector/locking.h"
#include "collector/sampling.h"
#include "collector/sequence.h"
#ifdef EARLY
#include "collector/early.h"
#endif

int main(int argc, char **argv) {
  find_api();
  if (!api) return fprintf(stderr, "no %s\n", OMP_COLLECTOR_API), 2;
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "sequence")) sequence();
  else if (!strcmp(what, "layouts")) layouts();
  else if (!strcmp(what, "ids")) ids();
  else if (!strcmp(what, "leaving")) leaving();
  else if (!strcmp(what, "locking")) locking();
  else if (!strcmp(what, "events")) events();
  else if (!strcmp(what, "sampling")) sampling();
  else if (!strcmp(what, "fuzz")) fuzz();
  else if (!strcmp(what, "late")) late();
#ifdef EARLY
  else if (!strcmp(what, "early")) after_early();
#endif
  else return fprintf(stderr, "unknown check %s\n", what), 2;
  return failures != 0;
}
