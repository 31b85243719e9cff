/* A tool of which nothing tells the generation: it asks for ompt_set_callback alone, and registers
 * the number that is "runtime shutdown" in 2014 and "target" in 2016. */
#include <stdio.h>

typedef void (*function)(void);
typedef function (*lookup_function)(const char *);

static void ended(void) { fprintf(stderr, "bare_tool: event 8\n"); }

static void initialize(lookup_function lookup, const char *runtime, unsigned version)
{
  int (*set_callback)(int, function) = (int (*)(int, function))lookup("ompt_set_callback");
  fprintf(stderr, "bare_tool: answer %d\n", set_callback(8, ended));
  (void)runtime;
  (void)version;
}

void (*ompt_tool(void))(lookup_function, const char *, unsigned) { return initialize; }
