/* Two critical sections of different names: both threads are inside at once. */
#include "meeting.h"
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
        {
            meet(2);
            x++;
        }
    } else {
#pragma omp critical(other)
        {
            meet(2);
            usleep(5000);
            x++;
        }
    }
    printf("%d\n", x);
}
