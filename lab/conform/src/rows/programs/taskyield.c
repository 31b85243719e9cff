int main(void) {
#pragma omp parallel num_threads(1)
    {
#pragma omp task untied
        sink = 1;
#pragma omp task
        {
#pragma omp taskyield
            sink = 2;
        }
    }
    return 0;
}
