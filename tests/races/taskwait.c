/* A taskwait does not wait for grandchildren. The other thread comes for tasks when the child has
 * begun, and the child ends when the grandchild has begun: the grandchild is the other thread's. */
#include "meeting.h"
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task shared(x)
        {
#pragma omp task shared(x)
            {
                x++;
                meet(2);
                usleep(20000);
            }
            meet(2);
        }
#pragma omp taskwait
        x++;
    } else {
        await(1);
    }
    printf("%d\n", x);
}
