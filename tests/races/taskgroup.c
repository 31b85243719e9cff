/* A task outside of the taskgroup that its maker waits for. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int x = 0, y = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(x)
        { x++; usleep(20000); }
        usleep(10000);
#pragma omp taskgroup
        {
#pragma omp task shared(y)
            y++;
        }
        x++;
    }
    printf("%d\n", x + y);
}
