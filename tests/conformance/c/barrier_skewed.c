/* barrier with threads that come at very different times, sleepers included. */
#include "check.h"
#include <time.h>

int main(void)
{
    int n = check_threads();
    long shared = 0;
#pragma omp parallel
    for (int r = 0; r < 5; r++) {
        if (omp_get_thread_num() == r % n) {
            struct timespec pause = {0, 20000000};
            nanosleep(&pause, 0);
            shared = r + 1;
        }
#pragma omp barrier
        CHECK_EQ(shared, r + 1);
#pragma omp barrier
    }
    return check_done();
}
