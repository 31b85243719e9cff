/* GCC's lock around atomics it cannot do in one instruction, called by name. */
/* @compilers: gcc — it is in that interface only */
#include "check.h"

extern void GOMP_atomic_start(void);
extern void GOMP_atomic_end(void);

int main(void)
{
    long count = 0;
    GOMP_atomic_start();
    GOMP_atomic_end();
#pragma omp parallel
    for (int i = 0; i < 1000; i++) {
        GOMP_atomic_start();
        count++;
        GOMP_atomic_end();
    }
    CHECK_EQ(count, 1000l * check_threads());
    return check_done();
}
