int main(void) {
    static long double sum;
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        sum += 1;
    }
    return sum == 2 ? 0 : 1;
}
