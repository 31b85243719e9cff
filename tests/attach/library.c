// A library with a region, which comes and goes.

long library_sum(void) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) // in the library
    for (int i = 0; i < 100; i++) sum += i;
    return sum;
}
