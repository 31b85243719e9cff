/* A client of the Collector API that holds the runtime to the text of 2007, beside those of
 * collector.c: the first argument names the check. */
#define _GNU_SOURCE
#include "events_2007.h"
#include "stacks_2007.h"
#include "states_2007.h"

static const struct { const char *name; void (*run)(void);
} checks[] = {
    {"mutexes", waiting_for_mutexes}, {"barriers", waiting_at_barriers},
    {"idle", waiting_for_work},       {"working", working},
    {"callers", callers},             {"constructs", constructs},
    {"regions", regions_and_events},  {"preparing", preparing},
    {"stacks", whole_program},        {"reduction", reducing},
    {"tasks", tasks_at_barriers},
};

int main(int argc, char **argv) {
  find_api();
  if (!api || argc < 2) return 2;
  for (unsigned i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!strcmp(argv[1], checks[i].name)) return checks[i].run(), failures != 0;
  return fprintf(stderr, "unknown check %s\n", argv[1]), 2;
}
