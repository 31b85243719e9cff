/* Two threads add to one variable. */
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(2)
    x++;
    printf("%d\n", x);
}
