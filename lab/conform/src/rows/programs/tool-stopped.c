int main(void) {
#pragma omp parallel num_threads(2)
    sink = 1;
    omp_pause_resource_all((omp_pause_resource_t)3);
#pragma omp parallel num_threads(2)
    sink = 2;
    return 0;
}
