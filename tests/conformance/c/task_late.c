/* A region whose first task comes when the other threads have long been waiting at its end: the
 * task is executed, and everybody leaves the region.
 *
 * The pause only gives the others the time to fall asleep; nothing depends on it.
 */
#include "check.h"
#include <omp.h>
#include <unistd.h>

int main(void) {
    for (int round = 0; round < 4; round++) {
        int done = 0;
        #pragma omp parallel shared(done)
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            usleep(30000);
            #pragma omp task shared(done)
            {
                #pragma omp atomic
                done++;
            }
            usleep(1000);
        }
        CHECK_EQ(done, 1);
    }
    return check_done();
}
