/* for ordered: iterations that never meet the ordered part do not hold up the others. */
#include "check.h"
#define N 300

int main(void)
{
    int last = -1, count = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int i = 0; i < N; i++) {
        if (i % 3 == 0) {
#pragma omp ordered
            {
                CHECK(i > last);
                last = i;
                count++;
            }
        }
    }
    CHECK_EQ(count, N / 3);
    return check_done();
}
