// Something deletes what a data region still has: nothing comes back at its end.
// @host: 3
// @device: 0
#include <stdio.h>
static void finish(int *a) {
#pragma omp target exit data map(delete : a[0 : 4])
}
int main(void) {
    int a[4] = {0};
#pragma omp target data map(tofrom : a)
    {
#pragma omp target
        a[0] = 3;
        finish(a);
    }
    printf("%d\n", a[0]);
    return 0;
}
