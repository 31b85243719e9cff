// The event of a detached task is fulfilled by threads that sleep, or that read what another
// process writes after a while.
// @kind: none
#include "hang.h"

static void *later(void *event) {
    sleep(12);
    omp_fulfill_event((omp_event_handle_t)event);
    return NULL;
}

static void *reads(void *event) {
    FILE *from = popen("sleep 12; echo now", "r");
    if (from && fgetc(from) != EOF && pclose(from) == 0)
        omp_fulfill_event((omp_event_handle_t)event);
    return NULL;
}

int main(void) {
    void *(*const both[2])(void *) = {later, reads};
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    for (int i = 0;; i++) {
        omp_event_handle_t event;
        #pragma omp task detach(event) firstprivate(i)
        {
            pthread_t thread;
            pthread_create(&thread, NULL, both[i % 2], (void *)event);
            pthread_detach(thread);
        }
        #pragma omp taskwait
    }
}
