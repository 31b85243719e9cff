/* task untied if(0): it is complete, with all its parts, when the code behind it goes on.
 * @distrust: clang — libomp stops at an assertion of its own */
#include "check.h"

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; i++) {
        int done = 0;
#pragma omp task untied if (0) shared(done)
        {
#pragma omp task shared(done)
#pragma omp atomic
            done++;
#pragma omp taskyield
#pragma omp taskwait
#pragma omp atomic
            done++;
        }
        CHECK_EQ(done, 2);
    }
    return check_done();
}
