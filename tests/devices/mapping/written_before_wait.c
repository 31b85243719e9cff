/* The host changes what a `nowait` region reads before it waits for it.
 * @finds: race a */
#include <stdio.h>

#pragma omp declare target
volatile int started, gate;
#pragma omp end declare target

int main(void) {
    int a[100] = {0}, total = 0, now = 0;
#pragma omp target map(to : a) map(tofrom : total) nowait
    {
        started = 1;
        while (gate != 1)
            ;
        for (int i = 0; i < 100; i++)
            total += a[i];
    }
    while (now != 1) {
#pragma omp target update from(started)
        now = started;
    }
    a[50] = 7; /* @here */
    gate = 1;
#pragma omp target update to(gate)
#pragma omp taskwait
    printf("%d\n", total);
    return 0;
}
