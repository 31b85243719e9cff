/* The host reads the result of a `nowait` region before it waits for it.
 * @finds: race a */
#include <stdio.h>

#pragma omp declare target
volatile int started, gate;
#pragma omp end declare target

int main(void) {
    int a[100] = {0}, now = 0;
#pragma omp target map(tofrom : a) nowait
    {
        started = 1;
        while (gate != 1)
            ;
        a[8] = 8;
    }
    while (now != 1) {
#pragma omp target update from(started)
        now = started;
    }
    int early = a[7]; /* @here */
    gate = 1;
#pragma omp target update to(gate)
#pragma omp taskwait
    printf("%d %d\n", early, a[8]);
    return 0;
}
