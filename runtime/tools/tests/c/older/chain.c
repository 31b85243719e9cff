/*
 * Two tools of 2016 in two libraries. The first one (-DFIRST) looks for the next in the address
 * space and hands on to it, as the text leaves tools to do. The second one counts regions, takes
 * identifiers by value, and asks for nothing that tells: its header does.
 */
#define _GNU_SOURCE
#define OMPT_2016_IDS
#include <ompt-2016.h>
#include <dlfcn.h>
#include <stdio.h>

#ifdef FIRST
static ompt_initialize_fn_t *next;
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  fprintf(stderr, "chain: first\n");
  if (next) next(lookup, runtime, version);
}
ompt_initialize_fn_t *ompt_tool(void)
{
  ompt_initialize_fn_t *(*ask)(void);
  *(void **)&ask = dlsym(RTLD_NEXT, "ompt_tool");
  if (ask) next = ask();
  return initialize;
}
#else
static ompt_get_parallel_info_t get_parallel_info;
static int regions, wrong;
static void on_parallel_begin(uint64_t task, const ompt_frame_t *frame, uint64_t region,
                              uint32_t requested, ompt_invoker_t invoker, const void *ra)
{
  static uint64_t before;
  (void)task; (void)frame; (void)requested; (void)invoker; (void)ra;
  regions++;
  if (!region || region == before) wrong++;
  before = region;
}
static void on_shutdown(void)
{
  fprintf(stderr, "chain: regions=%d wrong=%d\n", regions, wrong);
}
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  (void)runtime; (void)version;
  fprintf(stderr, "chain: second\n");
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  set(ompt_event_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_event_runtime_shutdown, (ompt_callback_t)on_shutdown);
}
ompt_initialize_fn_t *ompt_tool(void) { return initialize; }
#endif
