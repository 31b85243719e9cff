/* A tool that registers everything and does nothing: what remains is the runtime's cost. */
#include "omp-tools.h"

static void nothing(void) {}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  for (int event = ompt_callback_thread_begin; event <= ompt_callback_error; event++)
    if (event != ompt_callback_control_tool) set_callback((ompt_callbacks_t)event, nothing);
  return 1;
}

static void finalize(ompt_data_t *data) {}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
