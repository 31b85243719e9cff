/* Tasks whose dependences name different variables. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int x = 0, a = 0, b = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task shared(x) depend(out : a)
        { x++; usleep(20000); }
#pragma omp task shared(x) depend(out : b)
        { x++; usleep(20000); }
        usleep(10000);
    }
    printf("%d\n", x);
}
