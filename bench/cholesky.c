/* A tiled Cholesky factorisation whose order is held by task dependences alone: `cholesky N TILE`.
 *
 * Many small tasks with one to three dependences each; prints the factor's last element, which is
 * the same for every legal order, to 12 digits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int tiles, size;

static double *tile(double *a, int i, int j)
{
    return a + ((size_t)i * tiles + j) * size * size;
}

static void factor(double *a)
{
    for (int k = 0; k < size; k++) {
        a[k * size + k] = sqrt(a[k * size + k]);
        for (int i = k + 1; i < size; i++)
            a[i * size + k] /= a[k * size + k];
        for (int i = k + 1; i < size; i++)
            for (int j = k + 1; j <= i; j++)
                a[i * size + j] -= a[i * size + k] * a[j * size + k];
    }
}

static void solve(const double *l, double *b)
{
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++) {
            double sum = b[i * size + k];
            for (int j = 0; j < k; j++)
                sum -= b[i * size + j] * l[k * size + j];
            b[i * size + k] = sum / l[k * size + k];
        }
}

static void update(const double *a, const double *b, double *c)
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < size; k++)
                sum += a[i * size + k] * b[j * size + k];
            c[i * size + j] -= sum;
        }
}

int main(int count, char **words)
{
    int n = count > 1 ? atoi(words[1]) : 1024;
    size = count > 2 ? atoi(words[2]) : 32;
    tiles = n / size;
    if (size < 1 || tiles < 1) {
        fprintf(stderr, "usage: cholesky N TILE\n");
        return 2;
    }
    n = tiles * size;
    double *a = malloc((size_t)n * n * sizeof *a);
    if (!a)
        return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            tile(a, i / size, j / size)[(i % size) * size + j % size] =
                i == j ? n : 1.0 / (1 + abs(i - j));

#pragma omp parallel
#pragma omp single
    for (int k = 0; k < tiles; k++) {
        double *kk = tile(a, k, k);
#pragma omp task depend(inout : kk[0])
        factor(kk);
        for (int i = k + 1; i < tiles; i++) {
            double *ik = tile(a, i, k);
#pragma omp task depend(in : kk[0]) depend(inout : ik[0])
            solve(kk, ik);
        }
        for (int i = k + 1; i < tiles; i++)
            for (int j = k + 1; j <= i; j++) {
                double *ik = tile(a, i, k), *jk = tile(a, j, k), *ij = tile(a, i, j);
#pragma omp task depend(in : ik[0], jk[0]) depend(inout : ij[0])
                update(ik, jk, ij);
            }
    }

    printf("last = %.12g\n", tile(a, tiles - 1, tiles - 1)[size * size - 1]);
    free(a);
    return 0;
}
