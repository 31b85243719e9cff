// What Python's programs of this folder call: a region that ends.
double work(long count) {
    double sum = 0;
    #pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (long i = 0; i < count; i++) sum += (double)i;
    return sum;
}
