/* OMPT 5 tools whose callbacks do nothing: what remains is what the runtime spends on them.
 *
 * As it is, a tool that registers every callback. With -DCOUNT each callback counts, and
 * `bench_events` gives the sum over all threads. With -DONLY=ompt_callback_thread_begin, or
 * another, a tool that registers that one alone. */
#include "omp-tools.h"

#ifdef COUNT
static struct { _Alignas(128) long events; } counters[256];
static _Thread_local long *mine __attribute__((tls_model("initial-exec")));

static void callback(void)
{
    static unsigned threads;
    if (!mine)
        mine = &counters[__atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % 256].events;
    ++*mine;
}

/* Events so far. Exact while all threads but the caller wait. */
long bench_events(void)
{
    long sum = 0;
    for (int i = 0; i < 256; i++)
        sum += *(volatile long *)&counters[i].events;
    return sum;
}
#else
static void callback(void) {}
#endif

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
#ifdef ONLY
    set_callback(ONLY, callback);
#else
    /* 39 is the last number of OpenMP 6.0; `control_tool` alone has a result. */
    for (int event = ompt_callback_thread_begin; event <= 39; event++)
        if (event != ompt_callback_control_tool)
            set_callback((ompt_callbacks_t)event, callback);
#endif
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
