int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(guided)
        for (int i = 0; i < 10; i++) sink = i;
    }
    return 0;
}
