int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            int a, b;
#pragma omp task depend(out: a)
            usleep(1000);
#pragma omp task depend(in: a) depend(inout: b)
            sink = 1;
#pragma omp taskwait
        }
    }
    return 0;
}
