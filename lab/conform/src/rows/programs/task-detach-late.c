int main(void) {
    omp_event_handle_t event;
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp task detach(event)
            sink = 1;
#pragma omp task
            {
                usleep(20000);
                omp_fulfill_event(event);
            }
        }
    }
    return 0;
}
