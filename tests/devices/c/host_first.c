// What the host puts there first is meant to be overwritten: a region has written all of it since.
#include <stdio.h>

int main(void) {
    int a[50], b[50];
    for (int i = 0; i < 50; i++)
        a[i] = b[i] = i;
#pragma omp target data map(tofrom : a) map(from : b)
    {
        for (int i = 0; i < 50; i++)
            a[i] = b[i] = -1;
#pragma omp target
        for (int i = 0; i < 50; i++) {
            a[i] = 2 * i;
            b[i] = a[i] + 1;
        }
    }
    int wrong = 0;
    for (int i = 0; i < 50; i++)
        wrong += a[i] != 2 * i || b[i] != 2 * i + 1;
    printf("%d\n", wrong);
    return 0;
}
