int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 10; i++) sink = i;
    }
    return 0;
}
