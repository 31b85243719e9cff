/* Threads write and read neighbouring elements of one page at once: in regions, of what nobody has
 * copied there, and on the host, of what a region has written. */
#include <stdio.h>

enum { LENGTH = 64, ROUNDS = 4 };

int main(void) {
    double made[LENGTH], sum = 0;
    int taken[LENGTH] = {0}, total = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double part = 0;
#pragma omp target data map(alloc : made)
#pragma omp target teams distribute parallel for reduction(+ : part) map(tofrom : part)
        for (int i = 0; i < LENGTH; i++) {
            made[i] = 0;
            for (int k = 0; k <= round; k++) made[i] += i * k;
            part += made[i];
        }
        sum += part;
    }
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp target data map(to : taken)
        {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < LENGTH; i++) taken[i] += i + 1;
#pragma omp parallel for num_threads(4) schedule(static, 1)
            for (int i = 0; i < LENGTH; i++) {
                taken[i] = 100 + round;
                taken[i] += 2;
            }
        }
        for (int i = 0; i < LENGTH; i++) total += taken[i];
    }
    printf("%g %d\n", sum, total);
}
