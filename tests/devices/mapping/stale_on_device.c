/* The host changes an array that is mapped already; nothing copies it again.
 * @finds: stale-on-device a */
#include <stdio.h>

int main(void) {
    int a[100], sum = 0;
    for (int i = 0; i < 100; i++)
        a[i] = 0;
#pragma omp target data map(to : a)
    {
        for (int i = 0; i < 100; i++)
            a[i] = 1 + i;
#pragma omp target map(to : a) map(tofrom : sum)
        for (int i = 0; i < 100; i++)
            sum += a[i]; /* @here */
    }
    printf("%d\n", sum);
    return 0;
}
