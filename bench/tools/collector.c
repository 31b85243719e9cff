/* A client of the Collector API that registers every event and does nothing. */
#define _GNU_SOURCE
#include "omp_collector_api.h"
#include <dlfcn.h>
#include <string.h>

static void callback(OMP_COLLECTORAPI_EVENT event) { (void)event; }

/* One request and the zero that ends the list. */
struct message {
    int size, request, error, answered;
    char memory[16];
    int end;
};

__attribute__((constructor)) static void attach(void)
{
    int (*collector)(void *) = (int (*)(void *))dlsym(RTLD_DEFAULT, OMP_COLLECTOR_API);
    if (!collector)
        return;
    struct message start = {.size = sizeof start - sizeof start.end, .request = OMP_REQ_START};
    collector(&start);
    for (int event = OMP_EVENT_FORK; event <= OMP_EVENT_THR_END_ATWT; event++) {
        struct message ask = {.size = sizeof ask - sizeof ask.end, .request = OMP_REQ_REGISTER};
        void (*function)(OMP_COLLECTORAPI_EVENT) = callback;
        memcpy(ask.memory, &event, sizeof event);
        memcpy(ask.memory + 8, &function, sizeof function);
        collector(&ask);
    }
}
