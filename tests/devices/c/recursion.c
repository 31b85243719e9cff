// Each call of a function maps variables of its own.
#include <stdio.h>

static long walk(int depth) {
    long own[16], result = 0;
    for (int i = 0; i < 16; i++)
        own[i] = depth * i;
#pragma omp target enter data map(to : own)
    if (depth > 0)
        result = walk(depth - 1);
#pragma omp target map(tofrom : result)
    for (int i = 0; i < 16; i++)
        result += own[i];
#pragma omp target exit data map(release : own)
    return result;
}

int main(void) {
    long all = 0;
    for (int i = 0; i < 4; i++)
        all += walk(i);
    printf("%ld\n", all);
    return 0;
}
