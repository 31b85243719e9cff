// Counts: enter twice, delete once; and regions inside each other.
#include <stdio.h>

static void inner(int *a, int n) {
#pragma omp target data map(tofrom : a[0 : n])
    {
#pragma omp target map(tofrom : a[0 : n])
        a[2] += 1;
    }
}

int main(void) {
    int a[30] = {0};
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
    inner(a, 30);
#pragma omp target exit data map(delete : a)
    a[2] = 5;
    inner(a, 30);
    inner(a, 3);
#pragma omp target data map(tofrom : a)
    {
        inner(a, 30);
#pragma omp target update from(a)
        printf("%d\n", a[2]);
    }
#pragma omp target enter data map(to : a)
#pragma omp target data map(to : a)
    {
#pragma omp target
        a[3] = 9;
    }
#pragma omp target exit data map(from : a)
    printf("%d %d\n", a[2], a[3]);
    return 0;
}
