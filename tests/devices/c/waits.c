// `nowait` everywhere, and each time somebody waits for it.
#include <stdio.h>

int main(void) {
    int a[200], b[200], total = 0, sum = 0;
    for (int i = 0; i < 200; i++)
        a[i] = b[i] = i;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp target enter data map(to : a) nowait depend(out : a)
#pragma omp target enter data map(to : b) nowait depend(out : b)
#pragma omp target nowait depend(inout : a)
        for (int i = 0; i < 200; i++)
            a[i] *= 2;
#pragma omp target nowait depend(inout : b)
        for (int i = 0; i < 200; i++)
            b[i] *= 3;
#pragma omp target nowait depend(in : a, b) depend(out : total) map(tofrom : total)
        for (int i = 0; i < 200; i++)
            total += a[i] + b[i];
#pragma omp target exit data map(from : a) nowait depend(inout : a)
#pragma omp target exit data map(from : b) nowait depend(inout : b)
#pragma omp taskwait
        for (int i = 0; i < 200; i++)
            sum += a[i] + b[i];
        for (int i = 0; i < 8; i++) {
#pragma omp taskgroup
            {
#pragma omp target nowait map(tofrom : a[20 * i : 20])
                a[20 * i] = i;
#pragma omp target nowait map(tofrom : b[20 * i : 20])
                b[20 * i] = i;
            }
            sum += a[20 * i] + b[20 * i];
        }
    }
    printf("%d %d\n", total, sum);
    return 0;
}
