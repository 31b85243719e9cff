/* The part that is updated is not the part that has changed.
 * @finds: stale-on-device a */
#include <stdio.h>

int main(void) {
    double a[20], x = 0;
    for (int i = 0; i < 20; i++)
        a[i] = 1;
#pragma omp target data map(to : a)
    {
        a[12] = 5;
#pragma omp target update to(a[0 : 12])
#pragma omp target map(tofrom : x)
        for (int i = 0; i < 20; i++)
            x += a[i]; /* @here */
    }
    printf("%d\n", x > 0);
    return 0;
}
