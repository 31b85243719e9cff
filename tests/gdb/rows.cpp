// clang -O2 has code of no line between what it makes of a region's directive.
#include <cstdio>

__attribute__((noinline)) static double chain(const double &bonus, int threads) {
    double a = 1, b = 2, c = 0;
#pragma omp parallel num_threads(threads) shared(a, b, c) /* region */
#pragma omp single
    {
#pragma omp task depend(out : a)
        a += bonus;
#pragma omp task depend(in : a) depend(out : b)
        b += a;
#pragma omp taskwait
        c = a * b;
    }
    return c;
}

int main(int argc, char **) {
    double bonus = argc * 5;
    printf("%g\n", chain(bonus, argc + 1));
    return 0;
}
