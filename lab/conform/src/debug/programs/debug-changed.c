int main(void) {
    omp_set_num_threads(3);
    omp_set_dynamic(0);
    omp_set_schedule(omp_sched_guided, 5);
    omp_set_max_active_levels(2);
    omp_set_default_device(0);
    omp_set_affinity_format("other %n");
    stop();
#pragma omp parallel num_threads(2)
    {
        omp_set_num_threads(omp_get_thread_num() + 5);
        stop();
#pragma omp single
        {
#pragma omp task final(1)
            {
                omp_set_schedule(omp_sched_static, 0);
                omp_set_dynamic(1);
                omp_set_num_threads(9);
                stop();
#pragma omp task
                {
                    stop();
                }
#pragma omp taskwait
                stop();
            }
#pragma omp taskwait
            stop();
        }
    }
    omp_set_schedule(omp_sched_auto, 3);
    stop();
    return 0;
}
