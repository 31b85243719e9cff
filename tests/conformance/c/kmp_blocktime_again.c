/* KMP_BLOCKTIME is read again after a hard pause, and told in the unit that it is given in.
 *
 * @compilers: clang — the routine is LLVM's
 * @threads: 1 4
 * @distrust: clang — libomp reads it again from LLVM 21 on
 */
#include "check.h"

extern int kmp_get_blocktime(void);

int main(void)
{
    for (int time = 1; time <= 20; time++) {
        char text[16];
        sprintf(text, "%dus", time);
        setenv("KMP_BLOCKTIME", text, 1);
        CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
        CHECK_EQ(kmp_get_blocktime(), time);
        int n = check_threads(), count = 0;
#pragma omp parallel
#pragma omp atomic
        count++;
        CHECK_EQ(count, n);
    }
    setenv("KMP_BLOCKTIME", "30", 1);
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    CHECK_EQ(kmp_get_blocktime(), 20);
    CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    CHECK_EQ(kmp_get_blocktime(), 30);
    return check_done();
}
