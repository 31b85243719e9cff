/* Many short regions in a row; none is lost and none runs twice. */
#include "check.h"

int main(void)
{
    int n = check_threads(), rounds = n > 2 ? 500 : 5000;
    long counts[64] = {0};
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
        counts[omp_get_thread_num()]++;
    }
    for (int i = 0; i < n; i++)
        CHECK_EQ(counts[i], rounds);
    return check_done();
}
