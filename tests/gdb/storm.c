/* Threads that come to the same call again and again. */
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(sum)
        {
#pragma omp atomic
            sum++;
        }
    }
    printf("sum %d\n", sum);
    return 0;
}
