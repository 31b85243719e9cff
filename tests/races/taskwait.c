/* A taskwait does not wait for grandchildren. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(x)
        {
#pragma omp task shared(x)
            { x++; usleep(20000); }
            usleep(10000);
        }
#pragma omp taskwait
        x++;
    }
    printf("%d\n", x);
}
