// The C library reads the time zone from a pipe of the program's own, with its lock held: the
// others want that lock.
// @kind: waits-for-ever
// @says: thread 1 is in the C library, and may hold it at time_zone.c:
// @never: mutex
#include "hang.h"
#include <stdlib.h>
#include <time.h>
int main(void) {
    char path[64];
    int ends[2];
    if (pipe(ends) != 0) return 1;
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    setenv("TZ", path, 1);
    ready();
    #pragma omp parallel num_threads(2)
    {
        time_t now = 0;
        struct tm parts;
        if (omp_get_thread_num()) {
            tzset(); // <A>
            usleep(1);
        } else {
            pause_a_little();
            localtime_r(&now, &parts); // <B>
            mktime(&parts);
        }
    }
    return 0;
}
