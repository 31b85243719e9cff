/* A function maps a variable of its own, and returns.
 * @finds: freed-while-mapped local */
#include <stdio.h>

__attribute__((noinline)) static int sum(void) {
    int local[64], total = 0;
    for (int i = 0; i < 64; i++)
        local[i] = i;
#pragma omp target enter data map(to : local)
#pragma omp target map(tofrom : total)
    for (int i = 0; i < 64; i++)
        total += local[i];
    return total;
}

int main(void) {
    int other[4] = {0};
    printf("%d\n", sum());
#pragma omp target map(tofrom : other) /* @here */
    other[0] = 1;
    printf("%d\n", other[0]);
    return 0;
}
