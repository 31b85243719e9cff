// A runtime whose Collector API has the one event that it must have: nothing is known of regions.
// @flags: -rdynamic -ldl
#define _GNU_SOURCE
#include "truth.h"
#include <dlfcn.h>

/// Before the runtime's own: refuses callbacks for all other events (REGISTER is request 1, FORK is
/// event 1; 3 says "not supported").
int __omp_collector_api(void *list)
{
    int (*behind)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "__omp_collector_api");
    for (int *entry = list; *entry > 0; entry += *entry / 4) {
        int one[8] = {entry[0]};
        if (entry[1] == 1 && entry[4] != 1) {
            entry[2] = 3;
            continue;
        }
        if (*entry > 28 || !behind)
            return -1;
        for (int i = 0; i < *entry / 4; i++)
            one[i] = entry[i];
        one[*entry / 4] = 0;
        behind(one);
        for (int i = 2; i < *entry / 4; i++)
            entry[i] = one[i];
    }
    return 0;
}

int main(void)
{
    double begin = now();
    for (int step = 0; step < 20; step++) {
        #pragma omp parallel num_threads(2)
        burn(0.005);
        burn(0.005);
    }
    truth("elapsed", now() - begin);
}
