int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp task
            sink = 1;
#pragma omp taskwait
        }
    }
    return 0;
}
