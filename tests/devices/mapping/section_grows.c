/* Half of an array is mapped, then all of it.
 * @finds: wrong-section a */
#include <stdio.h>

int main(void) {
    int a[10] = {0};
#pragma omp target data map(tofrom : a[0 : 5])
    {
#pragma omp target map(tofrom : a[0 : 10]) /* @here */
        a[7] = 1;
    }
    printf("%d\n", a[7]);
    return 0;
}
