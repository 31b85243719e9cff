/* Tools that go wrong, one for each value of BEHAVIOUR. Each says on stderr what it was asked. */
#include "omp-tools.h"
#include <stdlib.h>
#include <unistd.h>

#define SAY(text) (void)!write(2, text "\n", sizeof(text))

enum { DECLINES = 1, NO_INITIALIZER, INITIALIZER_DECLINES, EXITS, FINALIZES_AT_ONCE, CRASHES };

static ompt_set_callback_t set_callback;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) { SAY("bad: thread_begin"); }

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  SAY("bad: initialize");
  set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  /* Leaves something in every word that is there already. */
  ompt_data_t *thread = ((ompt_get_thread_data_t)lookup("ompt_get_thread_data"))();
  if (thread) thread->value = 77;
  ompt_data_t *task = NULL, *region = NULL;
  ((ompt_get_task_info_t)lookup("ompt_get_task_info"))(0, NULL, &task, NULL, &region, NULL);
  if (task) task->value = 77;
  if (region) region->value = 77;
  if (BEHAVIOUR == EXITS) exit(9);
  if (BEHAVIOUR == CRASHES) abort();
  if (BEHAVIOUR == FINALIZES_AT_ONCE) ((ompt_finalize_tool_t)lookup("ompt_finalize_tool"))();
  return BEHAVIOUR != INITIALIZER_DECLINES;
}

static void finalize(ompt_data_t *data) { SAY("bad: finalize"); }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {
    BEHAVIOUR == NO_INITIALIZER ? NULL : initialize, finalize, {0}};
  SAY("bad: start_tool");
  return BEHAVIOUR == DECLINES ? NULL : &result;
}
