int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
        usleep(20000);
#pragma omp cancellation point parallel
        sink = 1;
    }
    return 0;
}
