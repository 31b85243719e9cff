// Sections, nested data regions, counts, directions, sections without length, variable lengths.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *what, const int *a, int n) {
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %d", a[i]);
    printf("\n");
}

static void lengths(int n, int m) {
    int a[n], b[n][m];
    for (int i = 0; i < n; i++) {
        a[i] = i;
        for (int j = 0; j < m; j++) b[i][j] = 10 * i + j;
    }
#pragma omp target map(tofrom : a, b)
    for (int i = 0; i < n; i++) {
        a[i] += b[i][m - 1];
        b[i][0] = a[i];
    }
    show("variable", a, n);
    show("variable rows", b[2], m);
}

int main(void) {
    int a[10], *p = malloc(10 * sizeof *p);
    for (int i = 0; i < 10; i++) a[i] = p[i] = i;
#pragma omp target map(tofrom : a[2 : 5]) map(to : p[0 : 10])
    for (int i = 2; i < 7; i++) a[i] += p[9 - i];
    show("part", a, 10);
#pragma omp target enter data map(to : p[0 : 10])
#pragma omp target data map(tofrom : a)
    {
#pragma omp target map(tofrom : p[2 : 3])
        for (int i = 0; i < 10; i++) a[i] = p[i] *= 2;
        p[0] = 100;
        a[9] = -9;
#pragma omp target update to(p[0 : 1], a[9 : 1])
#pragma omp target
        a[1] = p[0] + a[9];
#pragma omp target update from(p[1 : 9])
    }
    show("inside", p, 10);
    show("after", a, 10);
#pragma omp target exit data map(from : p[0 : 10])
    show("left", p, 10);
    int *none = NULL, *one = p + 3, found = 0;
#pragma omp target map(none[ : 0]) map(from : found)
    found = none == NULL;
#pragma omp target data map(tofrom : p[0 : 10])
#pragma omp target map(one[ : 0])
    one[1] = 41;
    show("without length", p, 10);
    printf("null %d\n", found);
    int b[4][5] = {{0}};
#pragma omp target map(tofrom : b[1 : 2][0 : 5])
    b[2][3] = b[1][4] = 7;
    show("row", b[1], 5);
    show("row", b[2], 5);
#pragma omp target data map(to : a) map(from : p[0 : 10])
#pragma omp target map(always, tofrom : a)
    for (int i = 0; i < 10; i++) p[i] = a[i]--;
    show("always", a, 10);
    lengths(4, 3);
    free(p);
    return 0;
}
