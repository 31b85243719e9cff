int main(void) {
#pragma omp parallel num_threads(2)
    {
        sink = 1;
#pragma omp flush
        sink = 2;
    }
    return 0;
}
