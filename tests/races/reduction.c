/* A reduction whose variable one thread sets without a barrier before it. */
#include "meeting.h"
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int sum;
#pragma omp parallel num_threads(2) shared(sum)
    {
        if (omp_get_thread_num() == 0) {
            sum = 0;
            meet(1);
        } else {
            await(1);
        }
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 100; i++)
            sum += i;
    }
    printf("%d\n", sum);
}
