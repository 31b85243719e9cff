static void wait_and_stop(void) {
    usleep(20000);
    stop();
}
int main(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            omp_set_lock(&lock);
            omp_set_nest_lock(&nest);
        }
#pragma omp barrier
        if (me == 0) {
#pragma omp critical(held)
            wait_and_stop();
            wait_and_stop();
            omp_unset_nest_lock(&nest);
            omp_unset_lock(&lock);
        }
        if (me == 1) {
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
        }
        if (me == 2) {
            omp_set_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
        }
        if (me == 3) {
            usleep(5000);
#pragma omp critical(held)
            sink = 1;
        }
        if (me == 0) wait_and_stop();
#pragma omp barrier
        if (me == 0) {
#pragma omp task
            {
                wait_and_stop();
            }
#pragma omp taskwait
        }
    }
    return 0;
}
