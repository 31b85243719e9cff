int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(guided, 2)
        for (int i = 0; i < 64; i++) sink = i;
    }
    return 0;
}
