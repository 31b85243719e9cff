int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp taskloop num_tasks(4)
            for (int i = 0; i < 8; i++) sink = i;
        }
    }
    return 0;
}
