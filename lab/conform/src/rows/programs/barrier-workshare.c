int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++) sink = i;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 4; i++) sink = i;
    }
    return 0;
}
