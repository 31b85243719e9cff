/* In a team, one thread leaves a region to a task and reads at once what that copies back.
 * @finds: race a */
#include <stdio.h>

#pragma omp declare target
volatile int gate;
#pragma omp end declare target

int main(void) {
    int a[100] = {0}, early = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target map(tofrom : a) nowait
        {
            while (gate != 1)
                ;
            a[8] = 8;
        }
        early = a[7]; /* @here */
        gate = 1;
#pragma omp target update to(gate)
#pragma omp taskwait
    }
    printf("%d %d\n", early, a[8]);
    return 0;
}
