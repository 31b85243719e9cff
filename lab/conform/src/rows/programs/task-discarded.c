int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task
                {
#pragma omp cancel taskgroup
                }
                usleep(20000);
                for (int i = 0; i < 4; i++)
#pragma omp task
                sink = 1;
            }
        }
    }
    return 0;
}
