// A sparse matrix, of which all arrays belong to one structure.
#include <stdio.h>
#include <stdlib.h>

struct csr {
    int rows, *begins, *columns;
    double *values;
};

static void multiply(const struct csr *m, const double *x, double *y) {
#pragma omp target map(to : x[0 : m->rows]) map(from : y[0 : m->rows])
    for (int row = 0; row < m->rows; row++) {
        double sum = 0;
        for (int at = m->begins[row]; at < m->begins[row + 1]; at++)
            sum += m->values[at] * x[m->columns[at]];
        y[row] = sum;
    }
}

int main(void) {
    enum { N = 50 };
    struct csr m = {N, malloc((N + 1) * sizeof(int)), malloc(3 * N * sizeof(int)),
                    malloc(3 * N * sizeof(double))};
    double x[N], y[N];
    int count = 0;
    for (int row = 0; row < N; row++) {
        m.begins[row] = count;
        for (int column = row - 1; column <= row + 1; column++)
            if (column >= 0 && column < N) {
                m.columns[count] = column;
                m.values[count++] = column == row ? 2 : -1;
            }
        x[row] = row;
    }
    m.begins[N] = count;
    struct csr *p = &m;
#pragma omp target enter data map(to : p[0 : 1])
#pragma omp target enter data map(to : p->begins[0 : N + 1], p->columns[0 : count], \
                                      p->values[0 : count])
    for (int i = 0; i < 3; i++) {
        multiply(p, x, y);
        for (int j = 0; j < N; j++)
            x[j] += y[j];
    }
#pragma omp target exit data map(release : p->begins[0 : N + 1], p->columns[0 : count], \
                                     p->values[0 : count])
#pragma omp target exit data map(release : p[0 : 1])
    printf("%g %g\n", x[1], y[N - 1]);
    free(m.begins);
    free(m.columns);
    free(m.values);
    return 0;
}
