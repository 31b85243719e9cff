int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp taskwait
        sink = 1;
    }
    return 0;
}
