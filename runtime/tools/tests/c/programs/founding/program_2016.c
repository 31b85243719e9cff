/* A program with a tool of 2016 in it that holds the runtime to that year's text: the first
 * argument names the check. */
#define _GNU_SOURCE
#include "stacks_2016.h"

static const struct { const char *name; void (*run)(void);
} checks[] = {
    {"starting", starting},        {"declined", declined},
    {"off", switched_off},         {"stack", whole_stack},
    {"threads", threads},          {"regions", regions_of_2016},
    {"idle", workers_idle},        {"tasks", tasks_of_2016},
    {"pairs", pairs_of_2016},      {"worksharing", worksharing_of_2016},
    {"sync", synchronization_of_2016}, {"mutexes", mutexes_of_2016},
    {"at_mutexes", states_at_mutexes}, {"at_barriers", states_at_barriers},
    {"at_tasks", states_at_tasks}, {"states", enumerated_states},
    {"frames", frames_of_2016},    {"control", controls},
    {"targets", targets_of_2016},  {"ids", identifiers},
    {"ending", ending},            {"sampled", sampled},
    {"operations", operations_of_2016}, {"environment", environment},
    {"asking", asking},            {"routine", first_routine},
};

static const char *chosen;
ompt_initialize_fn_t *ompt_tool(void) {
  asked++;
  CHECK(!initialized && !noted, "told before it was asked");
  if (!strcmp(chosen, "declined")) return 0;
  if (!strcmp(chosen, "environment")) setenv("OMP_NUM_THREADS", "3", 1);
  if (!strcmp(chosen, "asking")) while_asked();
  if (!strcmp(chosen, "starting")) while_initializing = initializer;
  return initialize;
}

int main(int argc, char **argv) {
  chosen = argc > 1 ? argv[1] : "";
  CHECK(asked == 0 && initialized == 0, "started before anything of OpenMP's");
  for (unsigned i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!strcmp(chosen, checks[i].name)) return checks[i].run(), failures != 0;
  return fprintf(stderr, "unknown check %s\n", chosen), 2;
}
