int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task
                sink = 1;
                usleep(20000);
            }
#pragma omp task
            sink = 1;
            usleep(20000);
#pragma omp taskwait
            sink = 1;
#pragma omp taskwait
        }
    }
    return 0;
}
