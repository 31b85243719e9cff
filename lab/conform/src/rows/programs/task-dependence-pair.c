int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            int a;
#pragma omp task depend(out: a)
            usleep(50000);
#pragma omp task depend(in: a)
            sink = 1;
#pragma omp taskwait
        }
    }
    return 0;
}
