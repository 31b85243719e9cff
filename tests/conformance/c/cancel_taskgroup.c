/* cancel taskgroup: tasks not begun are dropped, the group ends, the program goes on. */
/* @env: OMP_CANCELLATION=true */
#include "check.h"

int main(void)
{
    int after = 0, past = 0, other = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(other)
        other++;
#pragma omp taskgroup
        {
            for (int i = 0; i < 100; i++) {
#pragma omp task shared(past) firstprivate(i)
                {
                    if (i == 0) {
#pragma omp cancel taskgroup
                    }
#pragma omp cancellation point taskgroup
                    if (i == 0)
                        past++;
                }
            }
        }
        after = 1;
#pragma omp taskgroup
        {
#pragma omp task shared(after)
            after++;
        }
    }
    CHECK_EQ(after, 2);
    CHECK_EQ(past, 0);
    CHECK_EQ(other, 1);
    return check_done();
}
