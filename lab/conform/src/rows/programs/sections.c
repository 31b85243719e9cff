int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp sections
        {
#pragma omp section
            sink = 1;
#pragma omp section
            sink = 2;
#pragma omp section
            sink = 3;
        }
    }
    return 0;
}
