int main(void) {
#pragma omp parallel num_threads(1)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < 20; i++) sink = i;
    }
    return 0;
}
