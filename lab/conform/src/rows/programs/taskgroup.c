int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task
                sink = 1;
            }
        }
    }
    return 0;
}
