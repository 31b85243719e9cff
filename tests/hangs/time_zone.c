// The C library reads the time zone from a FIFO, with its lock held: the others want that lock.
// @kind: waits-for-ever
// @says: thread 1 is in the C library, and may hold it at time_zone.c:
// @never: mutex
#include "hang.h"
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
int main(void) {
    char folder[] = "/tmp/zoneXXXXXX", path[64];
    mkdtemp(folder);
    snprintf(path, sizeof path, "%s/zone", folder);
    mkfifo(path, 0600);
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
