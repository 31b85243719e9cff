// The update names another part than the one that changed.
// @host: 70
// @device: 0
#include <stdio.h>
int main(void) {
    int a[100] = {0};
#pragma omp target enter data map(to : a)
#pragma omp target
    a[70] = 70;
#pragma omp target update from(a[0 : 50])
    printf("%d\n", a[70]);
#pragma omp target exit data map(delete : a)
    return 0;
}
