/* A tool asks for the place of a thread, as it may in a signal handler: that binds nobody. The
 * first region does. */
#define _GNU_SOURCE
#include "../conformance/check.h"
#include "../tools/start.h"
#include <sched.h>
#include <signal.h>

static ompt_get_place_num_t get_place_num;
static int handled;

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    get_place_num = (ompt_get_place_num_t)lookup("ompt_get_place_num");
    return 1;
}
static void finalize(ompt_data_t *data) { (void)data; }
START_TOOL(initialize, finalize)

static int processors(void)
{
    cpu_set_t mask;
    CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
    return CPU_COUNT(&mask);
}

static void handle(int signal)
{
    (void)signal;
    int before = processors();
    CHECK(get_place_num() >= -1);
    CHECK_EQ(processors(), before);
    handled++;
}

int main(void)
{
    omp_get_max_threads();
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    CHECK_EQ(handled, 1);
#pragma omp parallel num_threads(2)
    {
        CHECK(get_place_num() >= 0);
        CHECK_EQ(get_place_num(), omp_get_place_num());
        CHECK_EQ(processors(), 1);
    }
    return check_done();
}
