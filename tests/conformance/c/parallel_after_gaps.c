/* Regions that come after long times alike, then sooner, later, or with tasks: each member takes
 * part in each, whatever the runtime expected. */
#include "check.h"
#include <omp.h>
#include <unistd.h>

/* Milliseconds before each region: long ones alike, and one before, while and behind the next is
 * due. */
static const int gaps[] = {7, 7, 7, 7, 7, 0, 7, 7, 1, 7, 7, 6, 7, 8, 7, 15, 7, 7, 7, 7};

int main(void)
{
    for (unsigned i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        int came = 0, size = 0, done = 0;
        usleep((unsigned)gaps[i] * 1000);
        if (i % 3 == 2) {
#pragma omp parallel reduction(+ : came)
            {
                came++;
#pragma omp single nowait
                {
                    size = omp_get_num_threads();
                    for (int k = 0; k < 8; k++) {
#pragma omp task shared(done)
#pragma omp atomic
                        done++;
                    }
                }
            }
            CHECK_EQ(done, 8);
        } else {
#pragma omp parallel reduction(+ : came)
            {
                came++;
#pragma omp single nowait
                size = omp_get_num_threads();
            }
        }
        CHECK_EQ(came, size);
    }
    return check_done();
}
