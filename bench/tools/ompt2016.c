/* A tool of OMPT 2016 that registers every event and does nothing. */
#include "ompt-2016.h"

static void callback(void) {}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)runtime, (void)version;
    for (int event = ompt_event_thread_begin; event <= ompt_event_flush; event++)
        set_callback((ompt_event_t)event, callback);
}

ompt_initialize_fn_t *ompt_tool(void) { return initialize; }
