// Constructs that nobody waits for: dependences between them and with tasks, the values of the
// moment, taskgroup, taskwait, in a region and outside of one.
#include <omp.h>
#include <stdio.h>

#define N 1000

static int a[N], b[N];

static long chain(void) {
    long sum = 0;
    for (int i = 0; i < N; i++) a[i] = i, b[i] = 0;
#pragma omp target enter data map(to : a, b) nowait depend(out : a)
#pragma omp target nowait depend(inout : a)
    for (int i = 0; i < N; i++) a[i] *= 2;
#pragma omp target nowait depend(in : a) depend(out : b)
    for (int i = 0; i < N; i++) b[i] = a[i] + 1;
#pragma omp target update from(b) nowait depend(inout : b)
#pragma omp task depend(in : b) shared(sum)
    for (int i = 0; i < N; i++) sum += b[i];
#pragma omp target exit data map(delete : a, b) nowait depend(inout : a, b)
#pragma omp taskwait
    return sum;
}

int main(void) {
    printf("%ld\n", chain());
    int values[20];
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
        int own = i * i, *place = &values[i];
#pragma omp target nowait map(from : place[0 : 1]) firstprivate(own)
        place[0] = own;
    }
    int sum = 0;
    for (int i = 0; i < 20; i++) sum += values[i];
    printf("%d\n", sum);
    long all = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    all = chain();
    printf("%ld\n", all);
    int total = 0;
    for (int i = 0; i < N; i++) a[i] = i;
#pragma omp parallel for num_threads(8) reduction(+ : total)
    for (int i = 0; i < 64; i++) {
        int part = 0;
#pragma omp target map(tofrom : part) map(to : a)
        part = a[i] + 1;
        total += part;
    }
    printf("%d\n", total);
    return 0;
}
