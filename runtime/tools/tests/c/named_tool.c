/*
 * Tools whose initializer has the name that the runtime's own weak one has, and is not static: one
 * of 5.0, one of 2016 (-DOLDER), and one that starts the tools of the libraries in MUX (-DMUX).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OLDER
#include <ompt-2016.h>
void ompt_initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  fprintf(stderr, "named: initialized %s\n", lookup && runtime && version == 2 ? "2016" : "?");
}
ompt_initialize_fn_t *ompt_tool(void) { return ompt_initialize; }
#else
#include <omp-tools.h>
#ifdef MUX
static ompt_start_tool_result_t *clients[2];
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  (void)data;
  int all = 0;
  for (int i = 0; i < 2; i++)
    all += clients[i]->initialize(lookup, device, &clients[i]->tool_data);
  return all;
}
static void finalize(ompt_data_t *data)
{
  (void)data;
  for (int i = 0; i < 2; i++) clients[i]->finalize(&clients[i]->tool_data);
}
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  char *list = strdup(getenv("MUX"));
  for (int i = 0; i < 2; i++) {
    ompt_start_tool_result_t *(*ask)(unsigned, const char *);
    void *library = dlopen(strtok(i ? 0 : list, ":"), RTLD_LAZY);
    *(void **)&ask = dlsym(library, "ompt_start_tool");
    clients[i] = ask(version, runtime);
  }
  return &result;
}
#else
int ompt_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  fprintf(stderr, "named: initialized %s\n", lookup && device >= 0 && data ? NAME : "?");
  return 1;
}
static void finalize(ompt_data_t *data) { (void)data; fprintf(stderr, "named: ended " NAME "\n"); }
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {ompt_initialize, finalize, {0}};
  (void)version; (void)runtime;
  return &result;
}
#endif
#endif
