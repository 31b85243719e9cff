static int started(void) {
    return 1;
}
int main(void) {
    int x = 7;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task firstprivate(x)
    {
        void *at = NULL;
        size_t size = 0;
        sink = x;
        ((int (*)(void **, size_t *, int))lookup("ompt_get_task_memory"))(&at, &size, 0);
        say("block", at != NULL && size >= sizeof x);
    }
    return 0;
}
