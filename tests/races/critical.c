/* Two critical sections of different names. */
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
        x++;
    } else {
#pragma omp critical(other)
        x++;
    }
    printf("%d\n", x);
}
