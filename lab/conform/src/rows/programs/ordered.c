int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 4; i++) {
#pragma omp ordered
            sink = i;
        }
    }
    return 0;
}
