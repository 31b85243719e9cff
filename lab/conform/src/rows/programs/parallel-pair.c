int main(void) {
    for (volatile int i = 0; i < 3; i++)
#pragma omp parallel num_threads(3)
    sink = 1;
    return 0;
}
