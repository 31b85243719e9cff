/* Two locks that guard nothing together: both threads hold one at once. */
#include "meeting.h"
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 0;
    omp_lock_t locks[2];
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
    {
        int i = omp_get_thread_num();
        omp_set_lock(&locks[i]);
        meet(2);
        usleep(5000 * i);
        x++;
        omp_unset_lock(&locks[i]);
    }
    omp_destroy_lock(&locks[0]);
    omp_destroy_lock(&locks[1]);
    printf("%d\n", x);
}
