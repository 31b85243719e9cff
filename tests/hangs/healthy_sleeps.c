// One member sleeps for seconds before a barrier, the others in a critical section.
// @kind: none
#include "hang.h"

int main(void) {
    ready();
    for (;;) {
        #pragma omp parallel num_threads(3)
        {
            if (omp_get_thread_num() == 1) {
                sleep(3);
            } else {
                #pragma omp critical(log)
                usleep(1200000);
            }
            #pragma omp barrier
        }
    }
}
