/* Reductions. */
#include "rows.h"

static long long reduction1(long n)
{
    double a = 0;
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel reduction(+ : a)") a += 1;
    })
}

static long long reduction8(long n)
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel reduction(+ : a, b, c, d, e, f, g, h)")
        {
            a += 1;
            b += 1;
            c += 1;
            d += 1;
            e += 1;
            f += 1;
            g += 1;
            h += 1;
        }
    })
}

static long long reduction_in_region(long n)
{
    static double a;
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp for reduction(+ : a)") for (int k = 0; k < 2; k++) a += 1;
    })
}

static const struct row rows[] = {
    ROW(reduction1), ROW(reduction8), ROW(reduction_in_region),
};

FAMILY(reduction, NULL);
