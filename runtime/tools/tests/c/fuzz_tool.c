/* A tool whose initializer looks up and registers a million things that mean nothing (chance.h).
 * -DHIGHEST is the highest answer of ompt_set_callback in its generation. Found as a tool of 5.x
 * (-DMODERN), of 2014 and 2016, or of 2013 (-DEARLY). */
#include "chance.h"
#include <stdio.h>

typedef void (*function)(void);
typedef function (*lookup_function)(const char *);

static void nothing(void) {}
static int bad;

static void look(lookup_function lookup)
{
  static const char *const names[] = {"ompt_set_callback",      "ompt_get_callback",
                                      "ompt_get_state",         "ompt_enumerate_states",
                                      "ompt_get_thread_data",   "ompt_get_task_info",
                                      "ompt_get_parallel_info", "omp"};
  char name[40];
  int length = chance() % 39;
  for (int i = 0; i < length; i++) name[i] = 1 + chance() % 255;
  name[length] = 0;
  if (lookup(name)) bad++;
  (void)lookup(names[chance() % 8]);
}

static void fuzz(lookup_function lookup, int (*set)(int, function), int (*get)(int, function *))
{
  long answers[8] = {0};
  const long rounds = fuzz_rounds(0x2016);
  for (long round = 0; round < rounds; round++) {
    if (lookup) look(lookup);
    int event = chance() % 4 ? (int)(chance() % 80) - 8 : (int)chance();
    int answer = set(event, chance() % 2 ? nothing : 0);
    if (answer < 0 || answer > HIGHEST) bad++;
    else answers[answer]++;
    if ((event < 1 || event > 61) && answer != 0) bad++;
    function callback = 0;
    int known = get(event, &callback);
    if (known != (callback == nothing) || (known && answer == 0)) bad++;
  }
  for (int event = 0; event < 80; event++) set(event, 0);
  fprintf(stderr, "fuzz_tool: bad=%d", bad);
  for (int i = 0; i <= HIGHEST; i++) fprintf(stderr, " %d:%ld", i, answers[i]);
  fputc('\n', stderr);
}

#ifdef EARLY
int ompt_set_callback(int, function);
int ompt_get_callback(int, function *);
int ompt_initialize(void)
{
  fuzz(0, ompt_set_callback, ompt_get_callback);
  return 1;
}
#else
static void by_lookup(lookup_function lookup)
{
  if (lookup(0)) bad++;
  fuzz(lookup, (int (*)(int, function))lookup("ompt_set_callback"),
       (int (*)(int, function *))lookup("ompt_get_callback"));
}
#ifdef MODERN
static int initialize(lookup_function lookup, int device, void *data)
{
  (void)device;
  (void)data;
  by_lookup(lookup);
  return 1;
}
static void finalize(void *data) { (void)data; }
struct {
  int (*initialize)(lookup_function, int, void *);
  void (*finalize)(void *);
  uint64_t data;
} result = {initialize, finalize, 0};
void *ompt_start_tool(unsigned version, const char *runtime)
{
  (void)version;
  (void)runtime;
  return &result;
}
#else
static void initialize(lookup_function lookup, const char *runtime, unsigned version)
{
  (void)runtime;
  (void)version;
  by_lookup(lookup);
}
void (*ompt_tool(void))(lookup_function, const char *, unsigned) { return initialize; }
#endif
#endif
