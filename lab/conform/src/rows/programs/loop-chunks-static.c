int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 2)
        for (int i = 0; i < 20; i++) sink = i;
    }
    return 0;
}
