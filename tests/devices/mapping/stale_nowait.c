/* A region of `nowait` finds a value that the host has changed.
 * @finds: stale-on-device numbers */
#include <stdio.h>

int main(void) {
    static int numbers[10] = {1, 2, 3};
    int total = 0;
#pragma omp target enter data map(to : numbers)
    numbers[4] = 7;
#pragma omp target map(tofrom : total) nowait
    for (int i = 0; i < 10; i++)
        total += numbers[i]; /* @here */
#pragma omp taskwait
#pragma omp target exit data map(release : numbers)
    printf("%d\n", total);
    return 0;
}
