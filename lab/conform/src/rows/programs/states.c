int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) usleep(20000);
#pragma omp barrier
        sink = 1;
    }
    return 0;
}
