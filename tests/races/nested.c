/* Two inner regions write what no barrier orders. */
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) x++;
    printf("%d\n", x);
}
