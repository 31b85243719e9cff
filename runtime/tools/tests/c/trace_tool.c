/*
 * A tool that writes one line for each thing it is told, to the file that TRACE_TOOL_OUT names:
 *
 *     <sequence> <thread> <event> key=value ...
 *
 * Every thread, region and task gets a number of its own in its data word the first time it is
 * shown, so a test can see whether the words are kept. TRACE_TOOL_ONLY=a,b registers only these.
 */
#define _GNU_SOURCE
#include "omp-tools.h"
#include "trace/callbacks.h"
#include "trace/inquiries.h"
#include "trace/lines.h"
#include <fcntl.h>
#include <link.h>
#include <string.h>

static ompt_data_t *own_data;

static int wanted(const char *name)
{
  const char *only = getenv("TRACE_TOOL_ONLY");
  if (!only) return 1;
  size_t length = strlen(name);
  for (const char *at = only; (at = strstr(at, name)) != NULL; at += length)
    if ((at == only || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

/* Where the program's own code lies, to tell its return addresses from others. */
static int image(struct dl_phdr_info *info, size_t size, void *unused)
{
  uint64_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
  say("image start=%llx end=%llx", (unsigned long long)info->dlpi_addr, (unsigned long long)end);
  return 1; /* the first one is the program */
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  own_data = data;
  say("initialize device=%d data=%llu", device, seen(data));
  find_inquiries(lookup);
  say("lookup unknown=%d device=%d null=%d", lookup("ompt_get_parallel_id") != NULL,
      lookup("ompt_start_trace") != NULL, lookup("") != NULL);
  for (int event = -1; event <= 40; event++) {
    ompt_callback_t previous = NULL;
    if (event >= 1 && event <= 37) continue;
    int set = set_callback((ompt_callbacks_t)event, (ompt_callback_t)on_thread_end);
    int get = get_callback((ompt_callbacks_t)event, &previous);
    say("odd number=%d set=%d get=%d", event, set, get);
  }
  for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++) {
    if (!wanted(callbacks[i].name)) continue;
    ompt_callback_t now = NULL;
    int result = set_callback(callbacks[i].number, callbacks[i].function);
    int got = get_callback(callbacks[i].number, &now);
    say("set name=%s result=%d kept=%d", callbacks[i].name, result,
        got == 1 && now == callbacks[i].function);
  }
  /* Removed again: the answer is "always", and nothing is registered. */
  ompt_callback_t gone;
  set_callback(ompt_callback_target_emi, (ompt_callback_t)on_thread_end);
  int removed = set_callback(ompt_callback_target_emi, NULL);
  say("removed result=%d get=%d", removed, get_callback(ompt_callback_target_emi, &gone));
  int state = ompt_state_undefined, states = 0;
  const char *name;
  while (enumerate_states(state, &state, &name) && states < 1000) states++;
  int impl = ompt_mutex_impl_none, impls = 0;
  while (enumerate_mutex_impls(impl, &impl, &name) && impls < 1000) impls++;
  say("enumerated states=%d impls=%d", states, impls);
  dl_iterate_phdr(image, NULL);
  data->value = 4711;
  return 1;
}

static void finalize(ompt_data_t *data)
{
  say("finalize data=%llu same=%d", seen(data), data == own_data);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {initialize, finalize, {42}};
  const char *path = getenv("TRACE_TOOL_OUT");
  if (path) out = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  say("start_tool version=%u runtime=%s", version, runtime);
  return &result;
}
