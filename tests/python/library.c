/* What the scripts of this folder call: a region, and a region that calls back. */

double work(long count)
{
    double sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < count; i++)
        sum += 1.0 / (double)(i + 1);
    return sum;
}

void each(long count, void (*call)(long))
{
    #pragma omp parallel for
    for (long i = 0; i < count; i++)
        call(i);
}
