/* Two sibling tasks that nothing orders; they wait for each other, so two threads run them. */
#include "meeting.h"
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task shared(x)
        {
            meet(2);
            usleep(5000 * i);
            x++;
        }
    }
    printf("%d\n", x);
}
