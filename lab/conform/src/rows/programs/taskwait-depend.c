int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            int a;
#pragma omp task depend(out: a)
            sink = 1;
#pragma omp taskwait depend(in: a)
        }
    }
    return 0;
}
